import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServiceBroker } from 'moleculer';
import { blobLinks } from '../../../shared/blobs/links.js';
import { system } from '../../../shared/contract/caller.js';
import type { AnyOperation } from '../../../shared/contract/operation.js';
import { callAsSystem, callFrom } from '../../../shared/contract/service.js';
import { type Failure, notFound } from '../../../shared/errors/errors.js';
import { clientNetwork, type Ranges } from '../../../shared/http/addresses.js';
import { metricsRegistry } from '../../../shared/monitoring/metrics.js';
import type { Platform } from '../../../shared/process/platform.js';
import { version } from '../../../shared/process/version.js';
import { uploadTokens } from '../../../shared/secrets/upload-tokens.js';
import { scaleMs } from '../../../shared/settings/time-scale.js';
import { escapeHtml } from '../../../shared/text/escaped-html.js';
import { cacheForASecond } from '../../../shared/work/one-second-cache.js';
import { listPublicSites } from '../../sites/contract.js';
import { metaFor } from '../api/operation-call.js';
import { createReadiness, isHealthPath, sendHealth, sendReadiness } from '../health.js';
import { prefersHtml, prefersJson } from '../http/accept.js';
import { isDevicePath, sendDeviceId } from '../http/device-id.js';
import { sendFile } from '../http/files.js';
import { beginFailure, type Exchange, sendContent, sendFailure } from '../http/reply.js';
import { basePathOf } from '../http/request.js';
import { isUploadPath, takeUpload } from '../http/uploads.js';
import { openApiDocument } from '../reference/openapi.js';
import { answerCertificate, certificatePath } from './certificates.js';
import { sendPage } from './html-page.js';
import { createPages } from './pages.js';
import { exchangeSaml, isSamlPath } from './saml.js';
import { exchangeUnsubscribe, unsubscribePath } from './unsubscribe.js';

/** Sends a file of the API reference, or calls `next` where there is none. */
export type ServeAsset = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

export interface WebsiteOptions {
  operations: AnyOperation[];
  broker: ServiceBroker;
  serveAsset: ServeAsset;
  proxies: Ranges;
  countAddress: (exchange: Exchange) => void;
  /** Whether readiness is refused. */
  isLeaving: () => boolean;
}

/** The first page does not wait long for what is published. */
const publishedSitesMs = scaleMs(1000);

const isAsset = (path: string) => /^\/docs\/[\w.-]+\.(js|css|png)$/.test(path) && path !== '/docs/start.js';

/** Answers what is beside the API: sign-in by SAML, unsubscribing, health, metrics, files and pages. Returns the kind of page, for metrics and log. */
export function createWebsite(
  { config, blobs, secrets }: Platform,
  { operations, broker, serveAsset, proxies, countAddress, isLeaving }: WebsiteOptions,
): (exchange: Exchange, search: string) => Promise<string> {
  const isSecure = config.baseUrl.startsWith('https:');
  const basePath = basePathOf(config.baseUrl);
  const links = blobLinks(secrets);
  const tokens = uploadTokens(secrets, config.baseUrl);
  const readiness = createReadiness({
    call: () => callAsSystem(broker),
    services: [...new Set(operations.map(({ service }) => service))],
  });
  const metrics = config.METRICS_PUBLIC && cacheForASecond(() => metricsRegistry.metrics());
  const pageAt = createPages(config, {
    openApi: () => openApiDocument(operations, { version, baseUrl: config.baseUrl }),
    publishedSites: () => callAsSystem(broker, publishedSitesMs)(listPublicSites, {}),
  });
  const callFor = (exchange: Exchange) => callFrom(broker, metaFor(system, exchange));

  async function answerGet(exchange: Exchange, search: string): Promise<string> {
    const { path } = exchange;
    countAddress(exchange);
    if (metrics && path === '/metrics') {
      await sendContent(exchange, 200, metricsRegistry.contentType, await metrics());
      return 'metrics';
    }
    if (path.startsWith('/~files/')) {
      await sendFile(exchange, path, new URLSearchParams(search), links, blobs);
      return 'file';
    }
    if (path === certificatePath) {
      await answerCertificate(exchange, search, callFor(exchange));
      return 'certificate';
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
  }

  return async (exchange, search) => {
    const { path, request } = exchange;
    if (isSamlPath(path)) {
      exchange.operation = 'saml';
      countAddress(exchange);
      const network = clientNetwork(request, proxies);
      await exchangeSaml(exchange, path, { call: callFor(exchange), isSecure, network, basePath, search });
      return 'saml';
    }
    if (path === unsubscribePath) {
      exchange.operation = 'unsubscribe';
      countAddress(exchange);
      await exchangeUnsubscribe(exchange, search, callFor(exchange));
      return 'unsubscribe';
    }
    if (isUploadPath(path)) {
      exchange.operation = 'upload';
      countAddress(exchange);
      await takeUpload(exchange, { tokens, blobs, call: callFor(exchange) });
      return 'upload';
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') throw notFound('Path');
    if (!isHealthPath(path)) return answerGet(exchange, search);
    await (path === '/readyz' ? sendReadiness(exchange, await readiness(), isLeaving()) : sendHealth(exchange));
    return 'health';
  };
}

/** Sends an error as somebody who opened this path can read it. */
export function chooseFailureSender({ path, operation, request }: Exchange): typeof sendFailure {
  if (isSamlPath(path)) return failurePage('The sign-in failed');
  if (path === unsubscribePath) return failurePage('These mails were not stopped');
  // Scripts of the app read errors in the official shape.
  return operation === 'app' && prefersHtml(request) ? failurePage('This screen cannot be shown') : sendFailure;
}

/** Ends with the answer; throws 404 where there is no such file. */
function sendAsset(exchange: Exchange, path: string, serve: ServeAsset): Promise<void> {
  const { request, response, deliveries, isLast } = exchange;
  return new Promise((resolve, reject) => {
    request.url = path.slice('/docs'.length);
    response.shouldKeepAlive &&= !isLast();
    response.once('close', resolve);
    deliveries.cutWhenSlow(response);
    serve(request, response, () => reject(notFound('Path')));
  });
}

/** Sends errors as pages with this title, or in the official shape to a client that prefers JSON. */
const failurePage =
  (title: string) =>
  async (exchange: Exchange, error: unknown): Promise<Failure> => {
    if (prefersJson(exchange.request)) return sendFailure(exchange, error);
    const failure = beginFailure(exchange, error);
    const lines = [
      `<h1>${title}</h1>`,
      `<p role="alert">${escapeHtml(failure.message)}</p>`,
      `<p>Request <code>${escapeHtml(exchange.requestId)}</code></p>`,
    ];
    await sendPage(exchange, failure.status, { title, main: lines.join('\n') });
    return failure;
  };
