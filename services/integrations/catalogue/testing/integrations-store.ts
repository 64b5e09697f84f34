import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFolderBlobs } from '../../../../shared/blobs/folder.js';
import { Jobs } from '../../../../shared/jobs/jobs.js';
import { Outbox } from '../../../../shared/jobs/outbox.js';
import { createLog } from '../../../../shared/monitoring/log.js';
import { createSecrets } from '../../../../shared/secrets/secrets.js';
import { write } from '../../../../shared/store/port.js';
import { openSqliteStore } from '../../../../shared/store/sqlite/store.js';
import { type IntegrationsDependencies, integrationsCollections } from '../../dependencies.js';
import type { PublishBody } from '../publishing/manifest.js';

type Opened = Pick<
  IntegrationsDependencies,
  'store' | 'blobs' | 'jobs' | 'outbox' | 'secrets' | 'log' | 'administering'
>;

/** What publishing works with, on a store of its own. Jobs run when they are called. */
export async function openCatalogue(): Promise<Opened & { close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'bindery-integrations-'));
  const store = await openSqliteStore({ path: join(folder, 'integrations.sqlite') });
  await store.prepare(integrationsCollections);
  const log = createLog('silent');
  return {
    store,
    blobs: openFolderBlobs(join(folder, 'blobs')),
    jobs: new Jobs({ store, service: 'integrations', log, exclusive: true }),
    outbox: new Outbox({
      store,
      service: 'integrations',
      emits: [],
      consumers: new Map(),
      log,
      deliver: async () => [],
    }),
    secrets: createSecrets([Buffer.alloc(32, 7).toString('base64')]),
    log,
    administering: async () => write.all([]),
    async close() {
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
}

export const bodyOf = (changes: Partial<PublishBody> = {}): PublishBody => ({
  runtime: 'v2',
  title: 'Hello',
  description: 'Says hello.',
  script: 'export default {};',
  organization: 'acme',
  visibility: 'public',
  target: 'all',
  scopes: [],
  categories: [],
  blocks: [],
  contentSources: [],
  externalLinks: [],
  configurations: {},
  secrets: {},
  ...changes,
});
