import type { IncomingMessage } from 'node:http';
import type { ServiceBroker } from 'moleculer';
import { system } from '../../../shared/contract/caller.js';
import { Encoded } from '../../../shared/contract/encoded.js';
import { callFrom } from '../../../shared/contract/service.js';
import { failureOf, invalid, methodNotAllowed } from '../../../shared/errors/errors.js';
import { networkOf } from '../../../shared/http/addresses.js';
import { BodyBudget, type OnPart, readBytes } from '../../../shared/http/body.js';
import { cookieNamed } from '../../../shared/http/cookies.js';
import type { WebAnswer } from '../../../shared/http/web-answer.js';
import type { Config } from '../../../shared/settings/config.js';
import { type AppRequest, answerApp, appHeaders, appPaths, maxAppBody, sessionCookieName } from '../../app/contract.js';
import { metaFor } from '../api/operation-call.js';
import { prefersHtml } from '../http/accept.js';
import type { Exchange } from '../http/reply.js';
import { basePathOf, headersNamed } from '../http/request.js';
import { hostOf, isHostName, isOwnHost } from './hosts.js';
import { sendWebAnswer } from './web-answers.js';

interface AppOptions {
  broker: ServiceBroker;
  config: Pick<Config, 'baseUrl'>;
  /** The IP address of a client. */
  address: (request: IncomingMessage) => string;
  countAddress: (exchange: Exchange) => void;
}

const mebibyte = 1024 * 1024;
const maxBodyBytes = { ofOwner: 32 * mebibyte, ofAll: 128 * mebibyte };

const isAppPath = (path: string): boolean =>
  path === appPaths.screens || path.startsWith(`${appPaths.screens}/`) || path.startsWith(appPaths.assets);

/** Sends the screens of members, at the address of the server alone; undefined for all other addresses. */
export function createAppExchange({
  broker,
  config,
  address,
  countAddress,
}: AppOptions): (exchange: Exchange, search: string) => Promise<string | undefined> {
  const base = new URL(config.baseUrl);
  const basePath = basePathOf(config.baseUrl);
  const budget = new BodyBudget(maxBodyBytes);

  function requestOf({ request, path, requestId }: Exchange, search: string): AppRequest {
    const { method = 'GET' } = request;
    if (method !== 'GET' && method !== 'HEAD' && method !== 'POST')
      throw methodNotAllowed(method, ['GET', 'HEAD', 'POST']);
    const host = hostOf(request);
    const scheme = host === base.host || !('encrypted' in request.socket) ? base.protocol : 'https:';
    const url = `${scheme}//${host || base.host}${basePath}${path}${search === '' ? '' : `?${search}`}`;
    if (!isHostName(host) || !URL.canParse(url)) throw invalid('Host: not a host name');
    const network = networkOf(address(request));
    return { method, url, headers: headersNamed(request, appHeaders), network, requestId };
  }

  return async (exchange, search) => {
    const { request, path } = exchange;
    if (!isAppPath(path) || !isOwnHost(hostOf(request), base.hostname)) return undefined;
    exchange.operation = 'app';
    countAddress(exchange);
    const asked = requestOf(exchange, search);
    const call = () => callFrom(broker, metaFor(system, exchange))(answerApp, asked);
    const answer =
      asked.method === 'POST'
        ? await budget.holdWhile(asked.network, async (onPart) => {
            Object.assign(asked, await readFormBody(request, onPart));
            return call();
          })
        : await call();
    const shown: WebAnswer = answer instanceof Encoded ? answer.decode() : answer;
    await sendWebAnswer(exchange, shown);
    return `app-${shown.kind}`;
  };
}

/** Reads the form of a browser. One that is too large is left to the app, which says so on a screen; scripts get the error. */
async function readFormBody(
  request: IncomingMessage,
  onPart: OnPart,
): Promise<Pick<AppRequest, 'body' | 'isTooLarge'>> {
  const limit = hasSession(request) ? maxAppBody.ofMembers : maxAppBody.ofStrangers;
  try {
    return { body: (await readBytes(request, limit, onPart)).toString('base64') };
  } catch (error) {
    if (failureOf(error).status !== 413 || !prefersHtml(request)) throw error;
    return { isTooLarge: true };
  }
}

/** Whether a browser says that it is signed in. */
const hasSession = ({ headers: { cookie } }: IncomingMessage): boolean =>
  [true, false].some((isSecure) => cookieNamed(cookie, sessionCookieName({ isSecure })).startsWith('bns_'));
