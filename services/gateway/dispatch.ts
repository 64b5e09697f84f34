import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServiceBroker } from 'moleculer';
import { type BlobLinks, blobLinks } from '../../shared/blobs/links.js';
import type { Blobs } from '../../shared/blobs/port.js';
import { system } from '../../shared/contract/caller.js';
import { contentTokens } from '../../shared/contract/content-token.js';
import { integrationTokens } from '../../shared/contract/integration-token.js';
import type { AnyOperation } from '../../shared/contract/operation.js';
import { callAsSystem, callFrom } from '../../shared/contract/service.js';
import { failureOf, notFound } from '../../shared/errors.js';
import { newTraceId } from '../../shared/ids.js';
import { metricsRegistry } from '../../shared/metrics.js';
import type { Platform } from '../../shared/platform.js';
import { sharedForASecond } from '../../shared/shared-for-a-second.js';
import { version } from '../../shared/version.js';
import { createAuthentication } from './api/authentication.js';
import { createIdentification } from './api/identification.js';
import { createOperationCall, metaFor } from './api/operation-call.js';
import { operationsOfOtherVersions } from './api/other-versions.js';
import { publicOperation } from './api/public-api.js';
import { publicOperations } from './api/public-operations.js';
import { createRouter, type Router } from './api/router.js';
import { createReadiness, type Readiness, sendHealth, sendReadiness } from './health.js';
import { Deliveries } from './http/connections/deliveries.js';
import type { Farewell } from './http/connections/drain.js';
import { createRateLimit } from './http/connections/rate-limit.js';
import { corsHeaders, isPreflight, preflightHeaders } from './http/cors.js';
import { isDevicePath, sendDeviceId } from './http/device-id.js';
import { sendFile } from './http/files.js';
import { commonHeaders, type Exchange, send, sendFailure } from './http/reply.js';
import { checkAddress, clientAddress, clientNetwork, givenRequestId, parseRanges } from './http/request.js';
import { createMetrics } from './metrics.js';
import { isEndpointPath } from './pages/endpoints/endpoint-paths.js';
import { createEndpoints, isolationOf } from './pages/endpoints/endpoints.js';
import { ownTokens } from './pages/endpoints/own-tokens.js';
import { failurePage } from './pages/failure-page.js';
import { createPages, isDocument } from './pages/pages.js';
import { exchangeSaml, isSamlPath } from './pages/saml.js';
import { exchangeUnsubscribe, unsubscribePath } from './pages/unsubscribe.js';
import { openApiDocument } from './reference/openapi.js';
import { createReport } from './report.js';
import { tracedExchange } from './tracing.js';

export interface Dispatcher extends Farewell {
  /** Answers one request, whatever it is. */
  exchange(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Drops the cached callers of tokens. */
  forgetTokens(): void;
  /** Whether each answer ends its connection. */
  isClosing(): boolean;
}

/** Takes an exchange to its answer; returns the operationId or the kind of page, for metrics and log. */
type Dispatch = (exchange: Exchange, path: string, search: string) => Promise<string>;

type ServeAsset = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

export interface DispatcherOptions {
  operations: AnyOperation[];
  broker: ServiceBroker;
  /** Sends a file of the API reference, or calls `next` where there is none. */
  serveAsset: ServeAsset;
}

/** Makes the way from a request to its answer. */
export function createDispatcher(
  platform: Platform,
  { operations, broker, serveAsset }: DispatcherOptions,
): Dispatcher {
  const { config, log, blobs, secrets } = platform;
  const router = createRouter(operations, lackingOf(operations, config.baseUrl));
  const metrics = createMetrics();
  const isSecure = config.baseUrl.startsWith('https:');
  const proxies = parseRanges(config.TRUSTED_PROXIES);
  const network = (request: IncomingMessage) => clientNetwork(request, proxies);
  const report = createReport({ log, metrics, proxies, all: config.LOG_REQUESTS === 'all' });
  const authentication = createAuthentication(() => callAsSystem(broker), {
    contents: contentTokens(secrets, config.baseUrl),
    integrations: integrationTokens(secrets, config.baseUrl),
  });
  const rateLimit = createRateLimit(config.RATE_LIMIT_PER_MINUTE);
  const { identify, countAddress } = createIdentification({
    authentication,
    rateLimit,
    proxies,
    limited: metrics.limited,
  });
  const callOperation = createOperationCall({
    broker,
    hasOthers: config.NATS_URL !== undefined,
    identify,
    callerSince: authentication.callerOf,
    address: (request) => clientAddress(request, proxies),
    callerChanged: authentication.forget,
  });
  const openApi = openApiDocument(operations, { version, baseUrl: config.baseUrl });
  const deliveries = new Deliveries();
  let leaving = false;
  let closing = false;
  const dispatchPage = pageDispatch({
    readiness: createReadiness({
      call: () => callAsSystem(broker),
      services: [...new Set(operations.map(({ service }) => service))],
    }),
    isLeaving: () => leaving,
    countAddress,
    serveAsset,
    links: blobLinks(secrets),
    blobs,
    pageAt: createPages(config, openApi),
    metricsPublic: config.METRICS_PUBLIC,
  });

  /** Requests that lead nowhere count too. */
  async function counted<T>(exchange: Exchange, look: () => T): Promise<T> {
    try {
      return look();
    } catch (error) {
      await countAddress(exchange);
      throw error;
    }
  }

  const isIsolated = isolationOf(config);
  const exchangeEndpoint = createEndpoints({
    broker,
    config,
    isIsolated,
    address: (request) => clientAddress(request, proxies),
    hasOwnToken: ownTokens({ authentication, baseUrl: config.baseUrl }),
  });

  const dispatch: Dispatch = async (exchange, path, search) => {
    await counted(exchange, () => checkAddress(exchange.request));
    const method = exchange.request.method ?? 'GET';
    if (isEndpointPath(path)) {
      exchange.operation = 'endpoint';
      await countAddress(exchange);
      return exchangeEndpoint(exchange, path, search);
    }
    if (isPreflight(exchange.request)) return sendPreflight(exchange, router, path);
    if ((path === '/v1' || path.startsWith('/v1/')) && !isDocument(path)) {
      const match = await counted(exchange, () => router.find(method, path === '/v1' ? '/v1/' : path));
      exchange.operation = match.operation.id;
      exchange.matched = match.operation;
      await callOperation(exchange, match, search);
      return match.operation.id;
    }
    // A script could read, and change, what people do on pages of its own origin.
    if (isIsolated(exchange.request) && !isHealthPath(path)) throw notFound('Path');
    if (isSamlPath(path)) {
      exchange.operation = 'saml';
      await countAddress(exchange);
      const call = callFrom(broker, metaFor(system, exchange));
      await exchangeSaml(exchange, path, { call, isSecure, network: network(exchange.request) });
      return 'saml';
    }
    if (path === unsubscribePath) {
      exchange.operation = 'unsubscribe';
      await countAddress(exchange);
      await exchangeUnsubscribe(exchange, search, callFrom(broker, metaFor(system, exchange)));
      return 'unsubscribe';
    }
    if (method !== 'GET' && method !== 'HEAD') throw notFound('Path');
    return dispatchPage(exchange, path, search);
  };

  function open(request: IncomingMessage, response: ServerResponse, path: string): Exchange {
    const requestId = givenRequestId(request) ?? newTraceId();
    const headers = commonHeaders(requestId);
    if (request.headers.origin !== undefined) Object.assign(headers, corsHeaders(request, path, config.CORS_ORIGINS));
    return { request, response, headers, requestId, path, operation: 'unknown', deliveries, isLast: () => closing };
  }

  /** Answers an exchange, whatever happens. */
  async function answer(exchange: Exchange, search: string, started: number): Promise<void> {
    const { response, path } = exchange;
    try {
      exchange.operation = await dispatch(exchange, path, search);
      report(exchange, { status: response.statusCode, started });
    } catch (error) {
      if (response.headersSent || response.destroyed) {
        response.destroy();
        return report(exchange, { status: failureOf(error).status, started, error });
      }
      const { status } = await failureSenderOf(path)(exchange, error);
      report(exchange, { status, started, error });
    }
  }

  return {
    async exchange(request, response) {
      const started = performance.now();
      const url = request.url ?? '/';
      const mark = url.indexOf('?');
      const exchange = open(request, response, mark < 0 ? url : url.slice(0, mark));
      const search = mark < 0 ? '' : url.slice(mark + 1);
      await tracedExchange(exchange, () => answer(exchange, search, started));
    },
    forgetTokens: authentication.forget,
    leave() {
      leaving = true;
    },
    close() {
      closing = true;
    },
    isClosing: () => closing,
  };
}

/** Sends an error as somebody who opened this path can read it. */
function failureSenderOf(path: string): typeof sendFailure {
  if (isSamlPath(path)) return failurePage('The sign-in failed');
  return path === unsubscribePath ? failurePage('These mails were not stopped') : sendFailure;
}

/** The operations of any version of the public API that are not among `operations`, and the page that lists them. */
function lackingOf(operations: AnyOperation[], baseUrl: string) {
  const own = new Set(operations.map(({ id }) => id));
  return {
    missing: [...publicOperations, ...operationsOfOtherVersions].map(publicOperation).filter(({ id }) => !own.has(id)),
    page: `${baseUrl}/handbook/api/compatibility`,
  };
}

async function sendPreflight(exchange: Exchange, router: Router, path: string): Promise<string> {
  Object.assign(exchange.headers, preflightHeaders(router.allowed(path)));
  await send(exchange, 204, undefined);
  return 'preflight';
}

interface PageOptions {
  readiness: Readiness;
  isLeaving: () => boolean;
  countAddress: (exchange: Exchange) => Promise<void>;
  serveAsset: ServeAsset;
  links: BlobLinks;
  blobs: Blobs;
  pageAt: ReturnType<typeof createPages>;
  /** Whether `/metrics` is for everybody. */
  metricsPublic: boolean;
}

const isHealthPath = (path: string) => path === '/healthz' || path === '/readyz';
const isAsset = (path: string) => /^\/docs\/[\w.-]+\.(js|css|png)$/.test(path) && path !== '/docs/start.js';

/** Answers GET outside the API: health, metrics, files and pages. */
function pageDispatch(options: PageOptions): Dispatch {
  const { readiness, isLeaving, countAddress, serveAsset, links, blobs, pageAt, metricsPublic } = options;
  const metrics = metricsPublic && sharedForASecond(() => metricsRegistry.metrics());
  return async (exchange, path, search) => {
    if (isHealthPath(path)) {
      await (path === '/readyz' ? sendReadiness(exchange, await readiness(), isLeaving()) : sendHealth(exchange));
      return 'health';
    }
    await countAddress(exchange);
    if (metrics && path === '/metrics') {
      await send(exchange, 200, metricsRegistry.contentType, await metrics());
      return 'metrics';
    }
    if (path.startsWith('/~files/')) {
      await sendFile(exchange, path, new URLSearchParams(search), links, blobs);
      return 'file';
    }
    if (isDevicePath(path)) {
      await sendDeviceId(exchange, search);
      return 'device';
    }
    if (isAsset(path)) {
      await sendAsset(exchange, path, serveAsset);
      return 'page';
    }
    const page = pageAt(path);
    if (!page) throw notFound('Path');
    await page(exchange);
    return 'page';
  };
}

/** Ends with the answer; throws 404 where there is no such file. */
function sendAsset(exchange: Exchange, path: string, serve: ServeAsset): Promise<void> {
  const { request, response, deliveries, isLast } = exchange;
  return new Promise((resolve, reject) => {
    request.url = path.slice('/docs'.length);
    response.shouldKeepAlive &&= !isLast();
    response.once('close', resolve);
    deliveries.watch(response);
    serve(request, response, () => reject(notFound('Path')));
  });
}
