import type { IncomingMessage } from 'node:http';
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
import type { Exchange } from '../http/reply.js';
import { basePathOf, headersNamed } from '../http/request.js';
import { hostOf, isHostName, isOwnHost } from './hosts.js';
import { sendWebAnswer } from './web-answers.js';

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
    if (!isHostName(host) || !URL.canParse(urls.url)) throw invalid('Host: not a host name');
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
    await sendWebAnswer(exchange, answer);
    return `site-${answer.kind}`;
  };
}

/** Paths that are the same at every host: files, health. */
const isForAll = (path: string): boolean =>
  path.startsWith('/~files/') || path === '/~tls' || path === '/healthz' || path === '/readyz';

/** Paths of the server itself, at a host name where no site is. */
const isOfServer = (path: string): boolean =>
  path === '/v1' || path.startsWith('/v1/') || path === '/metrics' || /^\/openapi\.(?:json|yaml)$/.test(path);
