import type { IncomingMessage, ServerResponse } from 'node:http';
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { ServiceBroker } from 'moleculer';
import { blobLinks } from '../../shared/blobs/links.js';
import { contentTokens } from '../../shared/contract/content-token.js';
import { integrationTokens } from '../../shared/contract/integration-token.js';
import type { AnyOperation } from '../../shared/contract/operation.js';
import { callAsSystem } from '../../shared/contract/service.js';
import { failureOf, notFound } from '../../shared/errors/errors.js';
import { clientAddress, clientNetwork, parseRanges } from '../../shared/http/addresses.js';
import { FairServer } from '../../shared/http/fair-server.js';
import type { Platform } from '../../shared/process/platform.js';
import { isTracing, runTraced } from '../../shared/tracing/tracing.js';
import { newTraceId } from '../../shared/values/ids.js';
import { createAuthentication, createIdentification } from './api/authentication.js';
import { createOperationCall } from './api/operation-call.js';
import { operationsOfOtherVersions } from './api/other-versions.js';
import { publicOperation } from './api/public-api.js';
import { publicOperations } from './api/public-operations.js';
import { createRouter } from './api/router.js';
import { isEndpointPath } from './endpoints/endpoint-paths.js';
import { createEndpoints, isolationOf } from './endpoints/endpoints.js';
import { createGitHooks, isHookPath } from './endpoints/git-hooks.js';
import { ownTokens } from './endpoints/own-tokens.js';
import { isHealthPath } from './health.js';
import { corsHeaders, preflightHeaders } from './http/cors.js';
import { commonHeaders, type Exchange, sendContent } from './http/reply.js';
import { basePathOf, checkAddress, givenRequestId, isPreflight, withoutBase } from './http/request.js';
import { loggablePath } from './http/request-log.js';
import { isUploadPath, uploadMethods } from './http/uploads.js';
import { createAppExchange } from './pages/app.js';
import { createSites } from './pages/sites.js';
import { chooseFailureSender, createWebsite, type ServeAsset } from './pages/website.js';
import { createReport } from './report.js';

export interface DispatcherOptions {
  operations: AnyOperation[];
  broker: ServiceBroker;
  serveAsset: ServeAsset;
}

/** Takes each request to its answer: endpoints of integrations, the API, and the website beside it. */
export class Dispatcher {
  readonly server: FairServer;
  private readonly parts: ReturnType<typeof createParts>;
  private readonly trace = isTracing() ? traceExchange : (_: Exchange, answer: () => Promise<void>) => answer();

  constructor(platform: Platform, options: DispatcherOptions) {
    this.parts = createParts(platform, options, () => this.server.isLeaving);
    const { proxies, withoutBases } = this.parts;
    this.server = new FairServer({
      handle: (request, response) => void this.handleExchange(request, response),
      laneOf: (request) => ({ owner: clientNetwork(request, proxies), client: request.headers.authorization }),
      isUrgent: ({ url }) => url !== undefined && withoutBases(url) === '/healthz',
      perAddress: platform.config.CONNECTIONS_PER_ADDRESS,
      proxies,
    });
  }

  /** Drops the cached callers of tokens. */
  forgetTokens(): void {
    this.parts.authentication.forget();
  }

  private async handleExchange(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const started = performance.now();
    const url = this.parts.withoutBases(request.url ?? '/');
    request.url = url;
    const mark = url.indexOf('?');
    const exchange = this.openExchange(request, response, mark < 0 ? url : url.slice(0, mark));
    const search = mark < 0 ? '' : url.slice(mark + 1);
    await this.trace(exchange, () => this.answerExchange(exchange, search, started));
  }

  private openExchange(request: IncomingMessage, response: ServerResponse, path: string): Exchange {
    const { server, parts } = this;
    const requestId = givenRequestId(request) ?? newTraceId();
    const headers = commonHeaders(requestId);
    if (request.headers.origin !== undefined) Object.assign(headers, corsHeaders(request, path, parts.origins));
    const isLast = () => server.isClosing;
    return { request, response, headers, requestId, path, operation: 'unknown', deliveries: server.deliveries, isLast };
  }

  /** Answers an exchange, whatever happens. */
  private async answerExchange(exchange: Exchange, search: string, started: number): Promise<void> {
    const { response } = exchange;
    const { report } = this.parts;
    try {
      exchange.operation = await this.dispatch(exchange, search);
      report(exchange, { status: response.statusCode, started });
    } catch (error) {
      if (response.headersSent || response.destroyed) {
        response.destroy();
        return report(exchange, { status: failureOf(error).status, started, error });
      }
      const { status } = await chooseFailureSender(exchange)(exchange, error);
      report(exchange, { status, started, error });
    }
  }

  /** Takes an exchange to its answer; returns the operationId or the kind of page, for metrics and log. */
  private async dispatch(exchange: Exchange, search: string): Promise<string> {
    const { path, request } = exchange;
    const { router, callOperation, countAddress, exchangeApp, exchangeEndpoint, exchangeSite, isIsolated, website } =
      this.parts;
    this.lookUpCounted(exchange, () => checkAddress(request));
    const isApi = isApiPath(path);
    if (!isApi && isEndpointPath(path)) {
      exchange.operation = 'endpoint';
      countAddress(exchange);
      return exchangeEndpoint(exchange, path, search);
    }
    if (!isIsolated(request) && isHookPath(path)) {
      countAddress(exchange);
      return this.parts.takeGitHook(exchange);
    }
    const page = isIsolated(request)
      ? undefined
      : ((await exchangeApp(exchange, search)) ?? (await exchangeSite(exchange, search)));
    if (page !== undefined) return page;
    if (isPreflight(request)) {
      Object.assign(exchange.headers, preflightHeaders(isUploadPath(path) ? uploadMethods : router.allowed(path)));
      await sendContent(exchange, 204, undefined);
      return 'preflight';
    }
    if (isApi) {
      const match = this.lookUpCounted(exchange, () =>
        router.find(request.method ?? 'GET', path === '/v1' ? '/v1/' : path),
      );
      exchange.operation = match.operation.id;
      exchange.matched = match.operation;
      await callOperation(exchange, match, search);
      return match.operation.id;
    }
    // A script could read, and change, what people do on pages of its own origin.
    if (isIsolated(request) && !isHealthPath(path)) throw notFound('Path');
    return website(exchange, search);
  }

  /** Looks something up; requests that lead nowhere count too. */
  private lookUpCounted<T>(exchange: Exchange, look: () => T): T {
    try {
      return look();
    } catch (error) {
      this.parts.countAddress(exchange);
      throw error;
    }
  }
}

/** Whether a path is one of the API: all below `/v1`, except the OpenAPI document, which programs also look for there. */
const isApiPath = (path: string): boolean =>
  path === '/v1' || (path.startsWith('/v1/') && !/^\/v1\/openapi\.(json|yaml)$/.test(path));

/** Creates what a dispatcher works with. */
function createParts(
  platform: Platform,
  { operations, broker, serveAsset }: DispatcherOptions,
  isLeaving: () => boolean,
) {
  const { config, log, secrets, blobs } = platform;
  const { baseUrl } = config;
  const proxies = parseRanges(config.TRUSTED_PROXIES);
  const addressOf = (request: IncomingMessage) => clientAddress(request, proxies);
  const { report, countLimited } = createReport({ log, address: addressOf, all: config.LOG_REQUESTS === 'all' });
  const authentication = createAuthentication(() => callAsSystem(broker), {
    contents: contentTokens(secrets, baseUrl),
    integrations: integrationTokens(secrets, baseUrl),
  });
  const { identify, countAddress } = createIdentification({
    authentication,
    perMinute: config.RATE_LIMIT_PER_MINUTE,
    proxies,
    countLimited,
  });
  const isIsolated = isolationOf(config);
  const basePath = basePathOf(baseUrl);
  const endpointsBasePath = basePathOf(config.INTEGRATIONS_URL ?? baseUrl);
  return {
    proxies,
    origins: config.CORS_ORIGINS,
    report,
    authentication,
    countAddress,
    isIsolated,
    withoutBases: (url: string) => withoutBase(withoutBase(url, basePath), endpointsBasePath),
    router: createRouter(operations, lackingOperations(operations, baseUrl)),
    callOperation: createOperationCall({
      broker,
      hasOthers: config.NATS_URL !== undefined,
      identify,
      callerSince: authentication.callerOf,
      address: addressOf,
      files: { links: blobLinks(secrets), blobs },
    }),
    exchangeEndpoint: createEndpoints({
      broker,
      config,
      isIsolated,
      address: addressOf,
      hasOwnToken: ownTokens({ authentication, baseUrl }),
    }),
    takeGitHook: createGitHooks({ broker, address: addressOf }),
    exchangeApp: createAppExchange({ broker, config, address: addressOf, countAddress }),
    exchangeSite: createSites({ broker, config, address: addressOf, countAddress }),
    website: createWebsite(platform, { operations, broker, serveAsset, proxies, countAddress, isLeaving }),
  };
}

/** The operations of any version of the public API that are not among `operations`, and the page that lists them. */
function lackingOperations(operations: AnyOperation[], baseUrl: string) {
  const own = new Set(operations.map(({ id }) => id));
  return {
    missing: [...publicOperations, ...operationsOfOtherVersions].map(publicOperation).filter(({ id }) => !own.has(id)),
    page: `${baseUrl}/handbook/api/compatibility`,
  };
}

/** Makes a span of an exchange, within the trace of its client. */
function traceExchange(exchange: Exchange, answer: () => Promise<void>): Promise<void> {
  const { request, response, requestId } = exchange;
  const { method = 'GET', headers } = request;
  const attributes = { 'http.request.method': method, 'bindery.request_id': requestId };
  const traceparent = typeof headers.traceparent === 'string' ? headers.traceparent : '';
  return runTraced(method, { kind: SpanKind.SERVER, attributes, traceparent }, async (span) => {
    await answer();
    const { operation, matched, path, organization } = exchange;
    span?.updateName(`${method} ${operation}`).setAttributes({
      'url.path': loggablePath(path, matched),
      'http.response.status_code': response.statusCode,
      ...(matched ? { 'http.route': `/v1${matched.path}` } : {}),
      ...(organization ? { 'bindery.organization': organization } : {}),
    });
    if (response.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
  });
}
