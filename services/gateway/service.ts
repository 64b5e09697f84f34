import type { ServiceSchema } from 'moleculer';
import ApiGateway from 'moleculer-web';
import type { AnyOperation } from '../../shared/contract/operation.js';
import { bindService } from '../../shared/contract/service.js';
import type { Platform } from '../../shared/process/platform.js';
import { version } from '../../shared/process/version.js';
import { callersChanged } from '../identity/events.js';
import { gatewayContract } from './contract.js';
import { Dispatcher } from './dispatch.js';
import { referenceAssets } from './pages/pages.js';
import type { ServeAsset } from './pages/website.js';

export interface GatewayOptions {
  /** The operations of every contract; each gets a route. */
  operations: AnyOperation[];
  /** Services of this process that must be up before the gateway listens. */
  dependencies: string[];
}

/** HTTP in, JSON out: moleculer-web's server and assets, with our own server and dispatcher from path to action. */
export function gatewayService(platform: Platform, { operations, dependencies }: GatewayOptions): ServiceSchema {
  const { config } = platform;
  const actions = operations
    .filter(({ method, safe }) => method !== 'GET' && !safe)
    .map(({ id, summary }) => ({ object: 'audit-event-action' as const, id, label: summary }));
  let dispatcher: Dispatcher;
  const service = bindService({
    name: 'gateway',
    contract: gatewayContract,
    ready: async () => {},
    handlers: {
      getApiInformation: async () => ({ version, build: version }),
      listOrganizationAuditEventActions: async () => ({ items: actions }),
    },
    hints: { [callersChanged.name]: () => dispatcher.forgetTokens() },
    checkResponses: config.CHECK_RESPONSES,
  });
  return {
    ...service,
    mixins: [ApiGateway as unknown as ServiceSchema],
    dependencies,
    settings: {
      ip: config.HOST,
      port: config.PORT,
      routes: [],
      assets: { folder: referenceAssets, options: { index: false, maxAge: '1d' } },
      logRouteRegistration: null,
    },
    methods: {
      createServer() {
        const serveAsset: ServeAsset = (...exchanged) => this.serve(...exchanged);
        dispatcher = new Dispatcher(platform, { operations, broker: this.broker, serveAsset });
        this.server = dispatcher.server.server;
      },
    },
    async stopped() {
      await dispatcher.server.stop(config.drainSeconds * 1000);
    },
  };
}
