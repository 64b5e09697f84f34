import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { ServiceBroker } from 'moleculer';
import { blobLinks } from '../../shared/blobs/links.js';
import { type Caller, system } from '../../shared/contract/caller.js';
import { contentTokens } from '../../shared/contract/content-token.js';
import type { AnyOperation } from '../../shared/contract/operation.js';
import { callAsSystem, callFrom, type Meta } from '../../shared/contract/service.js';
import { notFound, outageOf, untouched } from '../../shared/errors.js';
import { newTraceId } from '../../shared/ids.js';
import { onceASecond } from '../../shared/log.js';
import { metricsRegistry } from '../../shared/metrics.js';
import type { Platform } from '../../shared/platform.js';
import { version } from '../../shared/version.js';
import { createAuthentication } from './api/authentication.js';
import { cacheTagHeader, cacheTagsOf } from './api/cache-tags.js';
import { openApiDocument } from './api/openapi.js';
import { publicOperation } from './api/public-api.js';
import { publicOperations } from './api/public-operations.js';
import { createRouter, type Match } from './api/router.js';
import { sendHealth } from './health.js';
import { corsHeaders, isPreflight, preflightHeaders } from './http/cors.js';
import { isDevicePath, sendDeviceId } from './http/device-id.js';
import type { Farewell } from './http/drain.js';
import { sendFile } from './http/files.js';
import { createRateLimit } from './http/rate-limit.js';
import { commonHeaders, type Exchange, send, sendAnswer, sendFailure } from './http/reply.js';
import { clientAddress, givenRequestId, networkOf, parseRanges, readBody } from './http/request.js';
import { requestFields } from './http/request-log.js';
import { createMetrics, type Limited } from './metrics.js';
import { createPages } from './pages/pages.js';
import { exchangeSaml, isSamlPath, sendSamlFailure } from './pages/saml.js';

const deadlineMs = 10_000;
const slowSeconds = 1;

/** A call under way carries its context, whose meta the service may add to. */
type Answering = Promise<unknown> & { ctx?: { meta: Meta } };

export interface Dispatcher extends Farewell {
  /** Answers one request, whatever it is. */
  exchange(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Drops what is known of tokens. */
  forgetTokens(): void;
  /** Whether answers end their connections. */
  isClosing(): boolean;
}

/** The way from a request to its answer. */
export function createDispatcher(
  { config, log, blobs, secrets }: Platform,
  operations: AnyOperation[],
  broker: ServiceBroker,
): Dispatcher {
  const lacking = {
    missing: publicOperations.map(publicOperation).filter(({ id }) => operations.every((own) => own.id !== id)),
    page: `${config.baseUrl}/handbook/api/compatibility`,
  };
  const router = createRouter(operations, lacking);
  const metrics = createMetrics();
  const links = blobLinks(secrets);
  const rateLimit = createRateLimit(config.RATE_LIMIT_PER_MINUTE);
  const proxies = parseRanges(config.TRUSTED_PROXIES);
  const services = [...new Set(operations.map(({ service }) => service))];
  const openApi = JSON.stringify(openApiDocument(operations, { version, baseUrl: config.baseUrl }));
  const pageAt = createPages(config, openApi);
  const authentication = createAuthentication(() => callAsSystem(broker), contentTokens(secrets, config.baseUrl));
  const tell = onceASecond(log);
  let leaving = false;
  let closing = false;

  const addressKey = (request: IncomingMessage) => `address ${networkOf(clientAddress(request, proxies))}`;

  /** Whose requests are counted together. */
  function limitKey(caller: Caller, request: IncomingMessage): [Limited, string] {
    if (caller.kind === 'user') return ['token', caller.token];
    if (caller.kind === 'content') return ['site', `site ${caller.site} ${addressKey(request)}`];
    return ['address', addressKey(request)];
  }

  async function limit([by, key]: [Limited, string], headers: OutgoingHttpHeaders): Promise<void> {
    try {
      await rateLimit(key, headers);
    } catch (error) {
      metrics.limited(by);
      throw error;
    }
  }

  async function identify({ request, headers }: Exchange): Promise<Caller> {
    try {
      const caller = await authentication.callerOf(request).catch(untouched);
      await limit(limitKey(caller, request), headers);
      return caller;
    } catch (error) {
      if ((error as { type?: string }).type === 'UNAUTHENTICATED')
        await limit(['address', addressKey(request)], headers);
      throw error;
    }
  }

  async function runOperation(
    exchange: Exchange,
    { operation, path, readQuery }: Match,
    search: string,
  ): Promise<void> {
    const caller = await identify(exchange);
    exchange.caller = caller;
    const query = readQuery(search);
    const body = await readBody(exchange.request, operation);
    const meta: Meta = { caller, deadline: Date.now() + deadlineMs, requestId: exchange.requestId };
    const safe = operation.method === 'GET';
    const options = { meta, timeout: deadlineMs, safe };
    const called: Answering = broker.call(operation.action, { path, query, body }, options);
    const answer = await (safe ? called.catch(untouched) : called);
    const after = called.ctx?.meta;
    if (after?.callerChanged) authentication.forget();
    const tags = cacheTagsOf(operation, { path, query, body }, answer);
    if (tags) exchange.headers[cacheTagHeader] = tags;
    await sendAnswer(exchange, operation, answer, after?.version);
  }

  /** The steps of one exchange; what it was, for the metrics. */
  async function dispatch(exchange: Exchange, path: string, search: string): Promise<string> {
    const { request, headers } = exchange;
    const method = request.method ?? 'GET';
    if (isPreflight(request)) {
      Object.assign(headers, preflightHeaders(router.allowed(path)));
      await send(exchange, 204, undefined);
      return 'preflight';
    }
    if (path === '/v1' || path.startsWith('/v1/')) {
      const match = router.find(method, path === '/v1' ? '/v1/' : path);
      exchange.operation = match.operation.id;
      exchange.matched = match.operation;
      await runOperation(exchange, match, search);
      return match.operation.id;
    }
    if (isSamlPath(path)) {
      exchange.operation = 'saml';
      await limit(['address', addressKey(request)], headers);
      const meta: Meta = { caller: system, deadline: Date.now() + deadlineMs, requestId: exchange.requestId };
      await exchangeSaml(exchange, path, callFrom(broker, meta));
      return 'saml';
    }
    if (method !== 'GET' && method !== 'HEAD') throw notFound('Path');
    return dispatchPage(exchange, path, search);
  }

  async function dispatchPage(exchange: Exchange, path: string, search: string): Promise<string> {
    if (path === '/healthz' || path === '/readyz') {
      await sendHealth(
        exchange,
        path === '/readyz' ? { call: callAsSystem(broker), services, closing: leaving } : null,
      );
      return 'health';
    }
    if (path === '/metrics') {
      await send(exchange, 200, metricsRegistry.contentType, await metricsRegistry.metrics());
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
    const page = pageAt(path);
    if (!page) throw notFound('Path');
    await page(exchange);
    return 'page';
  }

  function open(request: IncomingMessage, response: ServerResponse, path: string): Exchange {
    const requestId = givenRequestId(request) ?? newTraceId();
    const headers = commonHeaders(requestId);
    if (request.headers.origin !== undefined) Object.assign(headers, corsHeaders(request, path, config.CORS_ORIGINS));
    return { request, response, headers, requestId, path, operation: 'unknown', isLast: () => closing };
  }

  function report(exchange: Exchange, operation: string, status: number, started: number, error?: unknown): void {
    const seconds = (performance.now() - started) / 1000;
    metrics.observe(operation, status, seconds);
    const failed = error !== undefined && status >= 500 && status !== 501;
    if (!failed && config.LOG_REQUESTS !== 'all' && seconds < slowSeconds) return;
    const address = clientAddress(exchange.request, proxies);
    const line = requestFields(exchange, { operation, status, ms: Math.round(seconds * 1000), address });
    if (!failed) log.info(line, 'request');
    else if (status === 500) log.error({ ...line, err: error }, 'request failed');
    else tell('error', outageOf(error), { ...line, err: error }, outageOf(error));
  }

  return {
    async exchange(request, response) {
      const started = performance.now();
      const url = request.url ?? '/';
      const mark = url.indexOf('?');
      const path = mark < 0 ? url : url.slice(0, mark);
      const exchange = open(request, response, path);
      try {
        const operation = await dispatch(exchange, path, mark < 0 ? '' : url.slice(mark + 1));
        report(exchange, operation, response.statusCode, started);
      } catch (error) {
        if (response.headersSent || response.destroyed) return void response.destroy();
        const { status } = await (isSamlPath(path) ? sendSamlFailure : sendFailure)(exchange, error);
        report(exchange, exchange.operation, status, started, error);
      }
    },
    forgetTokens: () => authentication.forget(),
    leave() {
      leaving = true;
    },
    close() {
      closing = true;
    },
    isClosing: () => closing,
  };
}
