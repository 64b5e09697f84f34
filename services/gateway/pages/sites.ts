import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { ServiceBroker } from 'moleculer';
import { system } from '../../../shared/contract/caller.js';
import { Encoded } from '../../../shared/contract/encoded.js';
import { callFrom } from '../../../shared/contract/service.js';
import { failureOf, invalid, methodNotAllowed } from '../../../shared/errors/errors.js';
import { networkOf } from '../../../shared/http/addresses.js';
import { BodyBudget, readBytes } from '../../../shared/http/body.js';
import type { Config } from '../../../shared/settings/config.js';
import {
  maxReaderBody,
  type ReaderAnswer,
  type ReaderRequest,
  readerHeaders,
  readSite,
} from '../../reader/contract.js';
import { metaFor } from '../api/operation-call.js';
import { type Exchange, knownVersions, type NamedText, sendBytes, sendContent } from '../http/reply.js';
import { basePathOf, headersNamed } from '../http/request.js';

export interface SitesOptions {
  broker: ServiceBroker;
  config: Pick<Config, 'baseUrl' | 'PUBLISH_DOMAIN' | 'READER'>;
  /** The IP address of a client. */
  address: (request: IncomingMessage) => string;
  countAddress: (exchange: Exchange) => void;
}

const mebibyte = 1024 * 1024;
const maxBodyBytes = { ofOwner: 4 * mebibyte, ofAll: 64 * mebibyte };

/** Sends the page of a site; undefined where no site is at this address, and somebody else may answer. */
export type ExchangeSite = (exchange: Exchange, search: string) => Promise<string | undefined>;

/**
 * Sites as pages: below `/sites/` and `/preview/` at the address of the server, and at each host name that is neither that one nor a name by which
 * machines reach it.
 */
export function createSites({ broker, config, address, countAddress }: SitesOptions): ExchangeSite {
  const base = new URL(config.baseUrl);
  const basePath = basePathOf(config.baseUrl);
  const budget = new BodyBudget(maxBodyBytes);
  const below = ['/sites/', '/~reader/', ...(config.PUBLISH_DOMAIN === undefined ? ['/preview/'] : [])];
  const isSitePath = (path: string) => below.some((start) => path.startsWith(start));

  /** The URL of a request as its browser has it, and as sites know it. */
  function urlsOf({ request, path }: Exchange, host: string, search: string): Pick<ReaderRequest, 'url' | 'known'> {
    const query = search === '' ? '' : `?${search}`;
    if (!isOwnHost(host, base.hostname)) return { url: `${base.protocol}//${host}${path}${query}` };
    const known = `${base.origin}${basePath}${path}${query}`;
    const scheme = 'encrypted' in request.socket ? 'https:' : base.protocol;
    const url = `${scheme}//${host}${basePath}${path}${query}`;
    return host === base.host || host === '' ? { url: known } : { url, known };
  }

  async function askReader(exchange: Exchange, host: string, search: string): Promise<ReaderAnswer> {
    const { request } = exchange;
    // Only whether a site is there is asked: the body is for the API.
    const method = isOfServer(exchange.path) ? 'GET' : (request.method ?? 'GET');
    if (method !== 'GET' && method !== 'HEAD' && method !== 'POST' && method !== 'OPTIONS')
      throw methodNotAllowed(method, ['GET', 'HEAD', 'POST']);
    const urls = urlsOf(exchange, host, search);
    if (notInHost.test(host) || !URL.canParse(urls.url)) throw invalid('Host: not a host name');
    const client = address(request);
    const asked: ReaderRequest = { method, ...urls, headers: headersNamed(request, readerHeaders), address: client };
    const call = () => callFrom(broker, metaFor(system, exchange))(readSite, asked);
    const answer =
      method === 'POST'
        ? await budget.holdWhile(networkOf(client), async (onPart) => {
            asked.body = (await readBytes(request, maxReaderBody, onPart)).toString();
            return call();
          })
        : await call();
    return answer instanceof Encoded ? answer.decode() : answer;
  }

  return async (exchange, search) => {
    if (!config.READER) return undefined;
    const { request, path } = exchange;
    const host = hostOf(request);
    const isOwn = isOwnHost(host, base.hostname);
    if (isOwn ? !isSitePath(path) : isForAll(path)) return undefined;
    exchange.operation = 'site';
    countAddress(exchange);
    const answer = await askReader(exchange, host, search).catch((error) => {
      // Without a reader, the API is at every host all the same.
      if (!isOwn && isOfServer(path) && failureOf(error).status === 503) return undefined;
      throw error;
    });
    if (!answer || (answer.unknownHost && isOfServer(path))) return undefined;
    await sendSite(exchange, answer);
    return `site-${answer.kind}`;
  };
}

/** Signs that would end the host in a URL. */
const notInHost = /[/\\?#@\s]/;

const hostOf = ({ headers: { host = '' } }: IncomingMessage): string => host.toLowerCase();

/** Names by which machines reach a server are for it alone: addresses, names without a dot, and those of clusters. */
function isOwnHost(host: string, baseHost: string): boolean {
  const name = host.replace(/:\d+$/, '').replace(/\.$/, '');
  return (
    name === baseHost ||
    isIP(name.replace(/^\[|\]$/g, '')) !== 0 ||
    !name.includes('.') ||
    /\.(?:localhost|local|internal|svc)$/.test(name)
  );
}

/** Paths that are the same at every host: files, health. */
const isForAll = (path: string): boolean =>
  path.startsWith('/~files/') || path === '/~tls' || path === '/healthz' || path === '/readyz';

/** Paths of the server itself, at a host name where no site is. */
const isOfServer = (path: string): boolean =>
  path === '/v1' || path.startsWith('/v1/') || path === '/metrics' || /^\/openapi\.(?:json|yaml)$/.test(path);

/** Sends what the reader answered: 304 to a browser that has it. */
async function sendSite(exchange: Exchange, { status, headers, body = '', coding, name }: ReaderAnswer): Promise<void> {
  const { request } = exchange;
  const { 'Content-Type': type, ...others } = headers;
  // What is not for everybody is for pages of its own host alone.
  if (!String(others['Cache-Control']).startsWith('public')) delete exchange.headers['Access-Control-Allow-Origin'];
  Object.assign(exchange.headers, others);
  if (type === undefined || !String(type).startsWith('text/html'))
    exchange.headers['Content-Security-Policy'] ??= "default-src 'none'; frame-ancestors 'none'";
  if (name !== undefined && status === 200) {
    exchange.headers.ETag = `W/"${name}"`;
    if (knownVersions(request.headers['if-none-match'] ?? '').includes(name))
      return sendContent(exchange, 304, undefined);
  }
  if (coding === 'base64') {
    exchange.headers['Content-Type'] = String(type);
    return sendBytes(exchange, status, Buffer.from(body, 'base64'));
  }
  return sendContent(exchange, status, type === undefined ? undefined : String(type), contentOf(body, name));
}

/** Content with a name is compressed once. */
function contentOf(body: string, name: string | undefined): string | NamedText {
  return name === undefined ? body : { text: body, name };
}
