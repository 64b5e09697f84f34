import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createBus } from '../../shared/bus/bus.js';
import { callAsSystem } from '../../shared/contract/context.js';
import { createLog, type Log } from '../../shared/monitoring/log.js';
import type { Host } from '../../shared/process/platform.js';
import { type Config, readConfig } from '../../shared/settings/config.js';
import { loadEnvFile } from '../../shared/settings/env-file.js';
import { commentsService } from '../comments/service.js';
import { consumers } from '../consumers.js';
import { contentService } from '../content/service.js';
import { identityService } from '../identity/service.js';
import { integrationsService } from '../integrations/service.js';
import { sitesService } from '../sites/service.js';
import { openProcess } from '../start.js';
import { type OpenedArchive, openChecked, takeArchive } from './archives/taken-archive.js';
import { abortOnSignal, printText, showProgress } from './progress.js';

const usage = `Usage: npm run import-archive -- <archive.zip>

Imports the organization of an archive, which must not be here yet. Uses the settings of the server (DATA_DIR or MONGODB_URL). A server with DATA_DIR
is stopped first and started afterwards; one with MONGODB_URL may run. If the import is interrupted, run it again.
`;

const services = {
  identity: identityService,
  content: contentService,
  comments: commentsService,
  sites: sitesService,
  integrations: integrationsService,
};

/** A call may import a whole space. */
const maxCallMs = 6 * 3600_000;

/** Starts the services that store what is in archives, in this process, without what they do in the background. */
async function openServices(config: Config, log: Log) {
  const platform = await openProcess(config, log, Object.keys(services));
  const broker = createBus({ blobs: platform.blobs, log });
  const host: Host = { ...platform, broker, consumers };
  for (const create of Object.values(services)) broker.createService(create(host));
  await broker.start();
  return {
    call: () => callAsSystem(broker, maxCallMs),
    blobs: platform.blobs,
    async close() {
      await broker.stop();
      await platform.close();
    },
  };
}

async function importArchive(config: Config, archive: OpenedArchive, signal: AbortSignal): Promise<void> {
  const began = performance.now();
  const { organization, title, spaces, people } = archive;
  const { call, blobs, close } = await openServices(config, createLog('error'));
  try {
    const warn = (text: string) => void process.stderr.write(`warning: ${text}\n`);
    const { known } = await takeArchive({ call, blobs, signal, progress: showProgress, warn }, archive);
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    printText(`Imported organization ${organization} ("${title}") in ${seconds} s:`);
    printText(`${spaces.length} spaces, ${people.length} people, of whom ${known} have an account of another id here`);
  } finally {
    await close();
  }
}

process.umask(0o077);
try {
  loadEnvFile();
  const { positionals } = parseArgs({ allowPositionals: true, options: {} });
  const [name] = positionals;
  if (!name || positionals.length > 1) throw new Error(usage);
  const config = readConfig(process.env);
  printText(`Checking ${name}`);
  const signal = abortOnSignal();
  const archive = await openChecked(resolve(name), signal);
  await importArchive(config, archive, signal).finally(() => archive.file.close());
  process.exit(0);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}
