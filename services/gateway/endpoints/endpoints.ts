import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { ServiceBroker } from 'moleculer';
import { system } from '../../../shared/contract/caller.js';
import { endpointsPath, endpointsUrlOf } from '../../../shared/contract/integration-endpoints.js';
import { type Call, callFrom } from '../../../shared/contract/service.js';
import { invalid, notFound } from '../../../shared/errors/errors.js';
import { networkOf } from '../../../shared/http/addresses.js';
import { BodyBudget, readBytes } from '../../../shared/http/body.js';
import type { Config } from '../../../shared/settings/config.js';
import { scaleMs } from '../../../shared/settings/time-scale.js';
import {
  type EndpointAddress,
  type EndpointAnswer,
  serveEndpoint,
  servePublishedScript,
  serveVisitorAuthentication,
} from '../../integrations/contract.js';
import { metaFor } from '../api/operation-call.js';
import { type Exchange, sendBytes } from '../http/reply.js';
import { checkMethod } from '../http/request.js';
import { endpointAt } from './endpoint-paths.js';
import { headersOfAnswer } from './headers-of-scripts.js';
import { isOwnCookie } from './own-cookies.js';

const mebibyte = 1024 * 1024;
const maxBodySize = 5 * mebibyte;
const maxBodyBytes = { ofOwner: 64 * mebibyte, ofAll: 256 * mebibyte };
/** Longer than a script has for its answer. */
const deadlineMs = scaleMs(12_000);
const maxLocationLength = 2048;

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const reading = ['GET', 'HEAD'];

export interface EndpointsOptions {
  broker: ServiceBroker;
  config: Pick<Config, 'baseUrl' | 'INTEGRATIONS_URL'>;
  /** The IP address that a request comes from. */
  address: (request: IncomingMessage) => string;
  /** Whether a request carries a token of ours. */
  hasOwnToken: (request: IncomingMessage) => Promise<boolean>;
  /** Whether a request came to the origin that scripts have for themselves. */
  isIsolated: (request: IncomingMessage) => boolean;
}

/** Answers a request below the public endpoints of integrations; returns what it was, for metrics and log. */
export type ExchangeEndpoint = (exchange: Exchange, path: string, search: string) => Promise<string>;

/** The public endpoints of integrations, the scripts of pages, and the sign-in of visitors: scripts answer, and are trusted with nothing. */
export function createEndpoints(options: EndpointsOptions): ExchangeEndpoint {
  const { broker, config, address, hasOwnToken, isIsolated } = options;
  const budget = new BodyBudget(maxBodyBytes);
  const endpointsUrl = endpointsUrlOf(config);

  async function askEndpoint(exchange: Exchange, call: () => Call, asked: EndpointAddress, rest: string) {
    const { request } = exchange;
    const { method = 'GET', headers } = request;
    checkMethod(request, methods);
    const client = address(request);
    const about = { address: client, isolated: isIsolated(request), hasOwnToken: await hasOwnToken(request) };
    const plain = { ...asked, method, url: endpointsUrl + rest, headers: headersForScript(headers, about) };
    if (reading.includes(method)) return call()(serveEndpoint, plain);
    return budget.holdWhile(networkOf(client), async (onPart) => {
      const body = await readBytes(request, maxBodySize, onPart);
      return call()(serveEndpoint, body.length === 0 ? plain : { ...plain, body: body.toString('base64') });
    });
  }

  async function answerEndpoint(exchange: Exchange, path: string, search: string): Promise<EndpointAnswer> {
    // The time to send a body does not count.
    const newCall = () => callFrom(broker, { ...metaFor(system, exchange), deadline: Date.now() + deadlineMs });
    const endpoint = endpointAt(path);
    if (!endpoint) throw notFound('Path');
    exchange.operation = endpoint.kind;
    if (endpoint.kind === 'endpoint') {
      const rest = path.slice(endpointsPath.length) + (search === '' ? '' : `?${search}`);
      return askEndpoint(exchange, newCall, endpoint.address, rest);
    }
    checkMethod(exchange.request, reading);
    if (endpoint.kind === 'script') return newCall()(servePublishedScript, endpoint.address);
    const location = readLocation(search);
    return newCall()(serveVisitorAuthentication, { site: endpoint.site, ...(location === null ? {} : { location }) });
  }

  return async (exchange, path, search) => {
    const answer = await answerEndpoint(exchange, path, search);
    exchange.headers = headersOfAnswer(exchange.headers, answer, { isolated: isIsolated(exchange.request) });
    sendBytes(exchange, answer.status, Buffer.from(answer.body, 'base64'));
    return exchange.operation;
  };
}

/** Tells whether a request came to the origin that scripts have for themselves: also then, others lead to the same server. */
export function isolationOf({ baseUrl, INTEGRATIONS_URL }: EndpointsOptions['config']) {
  const own = INTEGRATIONS_URL === undefined ? undefined : new URL(INTEGRATIONS_URL);
  if (!own || own.hostname === new URL(baseUrl).hostname) return () => false;
  return ({ headers: { host = '' } }: IncomingMessage): boolean => {
    const asked = `${own.protocol}//${host}`;
    return URL.canParse(asked) && new URL(asked).host === own.host;
  };
}

/** The path that a visitor wants to see; null without one. */
function readLocation(search: string): string | null {
  const location = new URLSearchParams(search).get('location');
  if (location !== null && (location.length > maxLocationLength || !/^\/(?![/\\])/.test(location)))
    throw invalid(`location: must be a path of at most ${maxLocationLength} characters`);
  return location;
}

/** Headers of the connection rather than the request, those that proxies add, and those that follow from the request anyway. */
const notForScripts =
  /^(connection|keep-alive|proxy-.+|te|trailer|transfer-encoding|upgrade|http2-settings|content-length|expect|host|forwarded|via|x-forwarded-.+|x-real-ip|x-original-.+)$/;

interface ForScript {
  /** The IP address of the client. */
  address: string;
  /** Whether the request came to the origin that scripts have for themselves, so that its cookies are theirs. */
  isolated: boolean;
  /** Whether it carries a token of ours, which is for the API alone. */
  hasOwnToken: boolean;
}

/** The headers of a request as a script gets them. */
function headersForScript(
  headers: IncomingHttpHeaders,
  { address, isolated, hasOwnToken }: ForScript,
): Record<string, string> {
  const named = String(headers.connection ?? '').toLowerCase();
  const ofConnection = new Set(named.split(',').map((name) => name.trim()));
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || notForScripts.test(name) || ofConnection.has(name)) continue;
    if (name === 'authorization' && hasOwnToken) continue;
    const text = name === 'cookie' ? (isolated ? othersCookies(String(value)) : '') : String(value);
    if (text !== '' || name !== 'cookie') kept[name] = text;
  }
  return { ...kept, 'x-forwarded-for': address };
}

const othersCookies = (cookies: string): string =>
  cookies
    .split(';')
    .map((cookie) => cookie.trim())
    .filter((cookie) => !isOwnCookie(cookie))
    .join('; ');
