import { execFile } from 'node:child_process';
import type { Server } from 'node:http';
import { promisify } from 'node:util';
import type { ServiceBroker, ServiceSchema } from 'moleculer';
import { createBus } from '../shared/bus/bus.js';
import { isBusConnected } from '../shared/bus/connection.js';
import { checkNats } from '../shared/bus/nats.js';
import { startHealthServer } from '../shared/monitoring/health-server.js';
import { createLog, type Log } from '../shared/monitoring/log.js';
import { freePort } from '../shared/process/free-port.js';
import { checkAnalytics, type Host, openPlatform, type Platform } from '../shared/process/platform.js';
import { type Config, readConfig } from '../shared/settings/config.js';
import { dataDirError } from '../shared/settings/data-dir.js';
import { loadEnvFile } from '../shared/settings/env-file.js';
import { startTracing } from '../shared/tracing/tracing.js';
import { appService } from './app/service.js';
import { commentsService } from './comments/service.js';
import { consumers } from './consumers.js';
import { contentService } from './content/service.js';
import { operations } from './gateway/contracts.js';
import { gatewayService } from './gateway/service.js';
import { identityService } from './identity/service.js';
import { insightsService } from './insights/service.js';
import { integrationsService } from './integrations/service.js';
import { readerService } from './reader/service.js';
import { sitesService } from './sites/service.js';

const services: Record<string, (host: Host) => ServiceSchema> = {
  identity: identityService,
  content: contentService,
  comments: commentsService,
  sites: sitesService,
  insights: insightsService,
  integrations: integrationsService,
  reader: readerService,
  app: appService,
};

function chooseServices({ SERVICES, NATS_URL }: Config): string[] {
  const known = [...Object.keys(services), 'gateway'];
  const unknown = SERVICES.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new Error(
      `Invalid settings:\n  SERVICES: ${unknown.join(', ')} unknown; the services are ${known.join(', ')}`,
    );
  const missing = SERVICES.length > 0 ? known.filter((name) => !SERVICES.includes(name)) : [];
  if (missing.length > 0 && !NATS_URL)
    throw new Error(
      `Invalid settings:\n  SERVICES: ${missing.join(', ')} cannot be reached from this process without NATS_URL; set it, or leave SERVICES unset`,
    );
  return known.filter((name) => !missing.includes(name));
}

function createServices(broker: ServiceBroker, platform: Platform, names: string[]): void {
  const behind = names.filter((name) => name !== 'gateway');
  const host: Host = { ...platform, broker, consumers };
  for (const name of behind) broker.createService((services[name] as (typeof services)[string])(host));
  if (names.includes('gateway')) broker.createService(gatewayService(platform, { operations, dependencies: behind }));
}

/** Stops the gateway first, then the services behind it, then the stores. */
async function stop(broker: ServiceBroker, platform: Platform): Promise<void> {
  const gateway = broker.getLocalService('gateway');
  if (gateway) await broker.destroyService(gateway);
  await broker.stop();
  await platform.close();
}

/**
 * Takes signals from `main.ts`, which ends at once. One Ctrl-C can be two: the terminal sends one to all that runs in it, and npm passes its own
 * on. So the third one ends at once.
 */
function stopOnSignal(log: Log, stop: () => Promise<void>): void {
  let signals = 0;
  const take = (signal: NodeJS.Signals) => {
    signals += 1;
    if (signals > 2) process.exit(1);
    if (signals === 2) return log.info({ signal }, 'still stopping; the next signal ends at once');
    log.info({ signal }, 'stopping');
    stop().then(
      () => process.exit(0),
      (err) => {
        log.fatal({ err }, 'stopping failed');
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    // Never without a listener: a signal that came while the program was loading waits to be heard, and would be lost.
    const before = process.listeners(signal);
    process.on(signal, take);
    for (const each of before) process.removeListener(signal, each as NodeJS.SignalsListener);
  }
}

/** After a fault that nothing caught, nobody knows what state the process is in: it says what happened, and ends. */
function endOnFault(log: Log): void {
  process.on('uncaughtException', (err) => {
    log.fatal({ err }, 'a fault that nothing caught ends the process');
    process.exit(1);
  });
}

type State = 'starting' | 'running' | 'stopping';

interface Health {
  platform: Platform;
  broker: ServiceBroker;
  /** Whether this process holds more than a gateway, which works without stores. */
  usesStores: boolean;
  state: () => State;
}

/** Answers from before the start of the services on: the start may wait for indexes. */
async function offerHealth({ platform, broker, usesStores, state }: Health): Promise<void> {
  const { config, ready } = platform;
  const { HOST: host, METRICS_PORT: port } = config;
  if (!port) return;
  const options = {
    host,
    port,
    async ready() {
      if (state() !== 'running') throw new Error(`the process is ${state()}`);
      if (!isBusConnected(broker)) throw new Error('the bus is not connected');
      if (usesStores) await ready();
    },
  };
  await startHealthServer(options).catch((error: NodeJS.ErrnoException) => {
    throw listenError(error, { HOST: host, PORT: port }, 'METRICS_PORT');
  });
}

/** Checks that git can be run: imports use it. */
async function checkGit(): Promise<void> {
  await promisify(execFile)('git', ['--version']).catch((error: Error) => {
    throw new Error(
      `git cannot be run (${error.message}): install git 2.30 or later, and make sure that it is in PATH`,
    );
  });
}

type Address = Pick<Config, 'HOST' | 'PORT'>;

const listenProblems: Record<string, (address: Address, setting: string) => string> = {
  EADDRINUSE: ({ HOST, PORT }, setting) =>
    `${setting}: ${PORT} on ${HOST} is in use; stop the program that listens there, or choose another port`,
  EACCES: ({ PORT }, setting) =>
    `${setting}: this user may not listen on ${PORT}; choose a port above 1023, or grant the right`,
  EADDRNOTAVAIL: ({ HOST }) => `HOST: ${HOST} is not an address of this machine; use one that is, or 0.0.0.0 for all`,
  ENOTFOUND: ({ HOST }) =>
    `HOST: the name ${HOST} does not resolve; use an address of this machine, or 0.0.0.0 for all`,
  EAI_AGAIN: ({ HOST }) =>
    `HOST: the name ${HOST} does not resolve; use an address of this machine, or 0.0.0.0 for all`,
};

function listenError(error: NodeJS.ErrnoException, address: Address, setting: string): Error {
  const problem = listenProblems[error.code ?? ''];
  return problem ? new Error(problem(address, setting)) : error;
}

/** Rejects when the gateway cannot listen: its start does not report that. */
function listenFailure(broker: ServiceBroker, config: Config): Promise<never> {
  const gateway = broker.getLocalService('gateway') as { server?: Server } | undefined;
  return new Promise((_, reject) => {
    // Moleculer's own listener only logs "Server error".
    gateway?.server?.removeAllListeners('error').on('error', (error) => reject(listenError(error, config, 'PORT')));
  });
}

/** Starts jobs and relays. What a dead process left can be heavy, and must hold up neither requests nor readiness. */
async function startBackground(broker: ServiceBroker): Promise<void> {
  for (const { background } of broker.services as { background?: () => Promise<void> }[]) await background?.();
}

/** Takes calls over NATS from now on. Moleculer would begin a second after its start and lose the calls until then. */
async function takeCalls(broker: ServiceBroker): Promise<void> {
  const { localServiceChanged, registry } = broker as unknown as {
    localServiceChanged: { cancel(): void };
    registry: { discoverer: { sendLocalNodeInfo(): Promise<void> } };
  };
  localServiceChanged.cancel();
  await registry.discoverer.sendLocalNodeInfo();
}

/** Opens what a process works with; rejects with the setting that is wrong. */
export async function openProcess(config: Config, log: Log, names = chooseServices(config)): Promise<Platform> {
  if (names.includes('content')) await checkGit();
  if (config.NATS_URL) await checkNats(config.NATS_URL);
  const platform = await openPlatform(config, log);
  if (names.includes('insights')) await checkAnalytics(platform);
  return platform;
}

/**
 * Services without a store, whose calls do not leave a process that has them: each keeps what it made, so that visitors who are sent from one to
 * another would see what was before again.
 */
const calledHere = ['reader', 'app'];

async function start(config: Config, log: Log): Promise<void> {
  const names = chooseServices(config);
  const { NATS_URL } = config;
  const stopTracing = await startTracing(config, log);
  const platform = await openProcess(config, log, names);
  endOnFault(log);
  const broker = createBus({ natsUrl: NATS_URL, blobs: platform.blobs, log, calledHere });
  createServices(broker, platform, names);
  let state: State = 'starting';
  const isStopping = () => state === 'stopping';
  let background: Promise<void> | undefined;
  stopOnSignal(log, async () => {
    state = 'stopping';
    // Half started, it would meet stores that are closed.
    await background?.catch(() => {});
    await stop(broker, platform);
    await stopTracing();
  });
  const usesStores = names.some((name) => name !== 'gateway');
  await offerHealth({ platform, broker, usesStores, state: () => state });
  await Promise.race([broker.start(), listenFailure(broker, config)]).catch((error) => {
    // The stop closed what a service was starting with, and ends the process.
    if (!isStopping()) throw error;
  });
  if (isStopping()) return;
  if (NATS_URL) await takeCalls(broker);
  state = 'running';
  log.info({ services: names, url: config.baseUrl }, 'started');
  background = startBackground(broker);
  await background;
}

/** Links, tokens and the log name the port, so a free one is chosen before anything starts. */
const withPort = async (config: Config): Promise<Config> =>
  config.PORT === 0 ? readConfig({ ...process.env, PORT: String(await freePort()) }) : config;

/** Starts the process that the environment describes; ends it with code 1 and one line where that cannot be. */
export async function main(): Promise<void> {
  // Files that it creates are for its own user alone.
  process.umask(0o077);
  try {
    loadEnvFile();
    const config = await withPort(readConfig(process.env));
    await start(config, createLog(config.LOG_LEVEL)).catch((error) => {
      throw /^SQLITE_/.test(error.code) ? dataDirError(config.DATA_DIR, error) : error;
    });
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exit(1);
  }
}
