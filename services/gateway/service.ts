import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { ServiceSchema } from 'moleculer';
import ApiGateway from 'moleculer-web';
import type { AnyOperation } from '../../shared/contract/operation.js';
import { bindService } from '../../shared/contract/service.js';
import type { Platform } from '../../shared/platform.js';
import { version } from '../../shared/version.js';
import { callersChanged } from '../identity/events.js';
import { gatewayContract } from './contract.js';
import { createDispatcher, type Dispatcher } from './dispatch.js';
import { basePathOf, withoutBase } from './http/base-path.js';
import { limitConnections } from './http/connections/connection-limits.js';
import { drain } from './http/connections/drain.js';
import { Entrance } from './http/connections/entrance.js';
import { clientNetwork, parseRanges } from './http/request.js';
import { referenceAssets } from './pages/pages.js';

export interface GatewayOptions {
  /** The operations of every contract; each gets a route. */
  operations: AnyOperation[];
  /** Services of this process that must be up before the gateway listens. */
  dependencies: string[];
}

/** HTTP in, JSON out: moleculer-web's server and assets, with our own dispatcher from path to action. */
export function gatewayService(platform: Platform, { operations, dependencies }: GatewayOptions): ServiceSchema {
  const { config } = platform;
  const basePath = basePathOf(config.baseUrl);
  const endpointsBasePath = basePathOf(config.INTEGRATIONS_URL ?? config.baseUrl);
  let dispatcher: Dispatcher;
  const proxies = parseRanges(config.TRUSTED_PROXIES);
  const entrance = new Entrance({
    handle: (request, response) => void dispatcher.exchange(request, response),
    laneOf: (request) => ({ owner: clientNetwork(request, proxies), client: request.headers.authorization }),
  });
  const service = bindService({
    name: 'gateway',
    contract: gatewayContract,
    ready: async () => {},
    handlers: { getApiInformation: async () => ({ version, build: version }) },
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
      httpHandler(request: IncomingMessage, response: ServerResponse) {
        request.url = withoutBase(withoutBase(request.url ?? '/', basePath), endpointsBasePath);
        entrance.enter(request, response);
      },
    },
    created() {
      dispatcher = createDispatcher(platform, { operations, broker: this.broker, serveAsset: this.serve.bind(this) });
      entrance.watch(this.server as Server);
      limitConnections(this.server as Server, { perAddress: config.CONNECTIONS_PER_ADDRESS, proxies });
    },
    async stopped() {
      await drain(this.server as Server, dispatcher, config.drainSeconds * 1000);
    },
  };
}
