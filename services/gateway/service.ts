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
import { drain } from './http/drain.js';
import { referenceAssets } from './pages/pages.js';

/** The parts of moleculer-web's service that we use: its server and the static files of `assets`. */
interface WebService {
  server: Server;
  serve(request: IncomingMessage, response: ServerResponse, next: () => void): void;
}

const isAsset = (url = '') => /^\/docs\/[\w.-]+\.(js|css|png)(\?|$)/.test(url) && !url.startsWith('/docs/start.js');

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
  let dispatcher: Dispatcher;
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
      httpHandler(this: WebService, request: IncomingMessage, response: ServerResponse) {
        request.url = withoutBase(request.url ?? '/', basePath);
        if (request.method !== 'GET' || !isAsset(request.url)) return dispatcher.exchange(request, response);
        request.url = request.url.slice('/docs'.length);
        response.shouldKeepAlive &&= !dispatcher.isClosing();
        return this.serve(request, response, () => dispatcher.exchange(request, response));
      },
    },
    created() {
      dispatcher = createDispatcher(platform, operations, this.broker);
      configureServer(this.server as Server);
    },
    async stopped() {
      await drain(this.server as Server, dispatcher, config.drainSeconds * 1000);
    },
  };
}

/** Sets timeouts against idle and slow clients, and answers requests that are not HTTP in the error shape. */
function configureServer(server: Server): void {
  server.keepAliveTimeout = 65_000;
  server.headersTimeout = 20_000;
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable) return void socket.destroy();
    const [status, reason] =
      error.code === 'HPE_HEADER_OVERFLOW' ? [431, 'Request Header Fields Too Large'] : [400, 'Bad Request'];
    const body = JSON.stringify({ error: { code: status, message: reason } });
    socket.end(
      `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    );
  });
}
