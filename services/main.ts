import type { ServiceBroker, ServiceSchema } from 'moleculer';
import { createBus } from '../shared/bus.js';
import { isBusConnected } from '../shared/bus-connection.js';
import { type Config, readConfig } from '../shared/config.js';
import { callAsSystem } from '../shared/contract/service.js';
import { startHealthServer } from '../shared/health-server.js';
import { createLog, type Log } from '../shared/log.js';
import { openPlatform, type Platform } from '../shared/platform.js';
import { importHandbook } from './content/contract.js';
import { contentService } from './content/service.js';
import { operations } from './gateway/contracts.js';
import { gatewayService } from './gateway/service.js';
import { firstStartTold, takeFirstStart } from './identity/contract.js';
import { identityService } from './identity/service.js';
import { sitesService } from './sites/service.js';

const services: Record<string, (platform: Platform) => ServiceSchema> = {
  identity: identityService,
  content: contentService,
  sites: sitesService,
};

function chosen({ SERVICES }: Config): string[] {
  const known = [...Object.keys(services), 'gateway'];
  const unknown = SERVICES.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new Error(`Wrong settings:\n  SERVICES: ${unknown.join(', ')} unknown; there are ${known.join(', ')}`);
  return SERVICES.length > 0 ? SERVICES : known;
}

function createServices(broker: ServiceBroker, platform: Platform, names: string[]): void {
  const behind = names.filter((name) => name !== 'gateway');
  for (const name of behind) broker.createService((services[name] as (typeof services)[string])(platform));
  if (names.includes('gateway')) broker.createService(gatewayService(platform, { operations, dependencies: behind }));
}

/** Tells a newcomer what the first start made, once, and gives it the handbook to read. */
async function welcome(broker: ServiceBroker, { baseUrl }: Config): Promise<void> {
  const call = callAsSystem(broker, 60_000);
  const made = await call(takeFirstStart, {});
  if (!made) return;
  const { space } = await call(importHandbook, { organization: made.organization, creator: made.user });
  process.stdout.write(`
  Bindery is ready.

    URL           ${baseUrl}
    API reference ${baseUrl}/docs
    Organization  ${made.organization}
    API token     ${made.token ?? 'the one of BOOTSTRAP_TOKEN'}
    Handbook      ${baseUrl}/v1/spaces/${space}/content/pages

  The token is shown this once. Try:

    curl -H 'Authorization: Bearer ${made.token ?? '$BOOTSTRAP_TOKEN'}' ${baseUrl}/v1/user

`);
  await call(firstStartTold, {});
}

/** Stops taking requests first, then the services behind, then the stores. */
async function stop(broker: ServiceBroker, platform: Platform): Promise<void> {
  const gateway = broker.getLocalService('gateway');
  if (gateway) await broker.destroyService(gateway);
  await broker.stop();
  await platform.close();
}

function stopOnSignal(broker: ServiceBroker, platform: Platform): void {
  let stopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      if (stopping) process.exit(1);
      stopping = true;
      platform.log.info({ signal }, 'stopping');
      stop(broker, platform).then(
        () => process.exit(0),
        (err) => {
          platform.log.fatal({ err }, 'stopping failed');
          process.exit(1);
        },
      );
    });
}

async function offerHealth(broker: ServiceBroker, { config, ready }: Platform): Promise<void> {
  if (!config.METRICS_PORT) return;
  await startHealthServer({
    host: config.HOST,
    port: config.METRICS_PORT,
    async ready() {
      if (!isBusConnected(broker)) throw new Error('the bus is not connected');
      await ready();
    },
  });
}

async function start(config: Config, log: Log): Promise<void> {
  const names = chosen(config);
  const platform = await openPlatform(config, log);
  const broker = createBus({ natsUrl: config.NATS_URL, blobs: platform.blobs, log });
  createServices(broker, platform, names);
  stopOnSignal(broker, platform);
  await broker.start();
  await offerHealth(broker, platform);
  log.info({ services: names, url: config.baseUrl }, 'started');
  if (names.includes('identity') && !config.NATS_URL) await welcome(broker, config);
}

try {
  const config = readConfig(process.env);
  await start(config, createLog(config.LOG_LEVEL));
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}
