import type { IncomingMessage } from 'node:http';
import type { Call } from '../../../shared/contract/service.js';
import { apiError, forbidden, invalid, notFound } from '../../../shared/errors/errors.js';
import { readBytes } from '../../../shared/http/body.js';
import { cookieNamed, secretInCookie } from '../../../shared/http/cookies.js';
import { newSecret, sha256 } from '../../../shared/values/ids.js';
import { appPaths, sessionCookie, sessionCookieName } from '../../app/contract.js';
import { finishSamlSignIn, openSessionBySaml, samlMetadata, startSamlSignIn } from '../../identity/contract.js';
import { samlCookieName } from '../endpoints/own-cookies.js';
import { prefersJson } from '../http/accept.js';
import { type Exchange, sendContent, sendJson } from '../http/reply.js';
import { checkMethod } from '../http/request.js';

const samlPattern = /^\/saml\/([\w-]{1,100})\/(metadata|start|acs)$/;
const bodyLimit = 256 * 1024;

export const isSamlPath = (path: string): boolean => path.startsWith('/saml/');

interface SamlOptions {
  call: Call;
  /** Whether people reach us by https. */
  isSecure: boolean;
  /** The network of the client. */
  network: string;
  /** The path of the server. */
  basePath: string;
  /** The query of the request. */
  search: string;
}

/** Serves our SAML metadata, the redirect to the identity provider, and the answer that the browser posts back. */
export async function exchangeSaml(
  exchange: Exchange,
  path: string,
  { call, isSecure, network, basePath, search }: SamlOptions,
): Promise<void> {
  const { request, headers } = exchange;
  headers['Cache-Control'] = 'no-store';
  const [, provider, step] = samlPattern.exec(path) ?? [];
  if (!provider) throw notFound('Path');
  checkMethod(request, step === 'acs' ? ['POST'] : ['GET', 'HEAD']);
  const { cookie } = request.headers;
  const known = secretInCookie(cookie, samlCookieName(isSecure));
  if (step === 'metadata') {
    const { xml } = await call(samlMetadata, { provider });
    return sendContent(exchange, 200, 'application/samlmetadata+xml; charset=utf-8', xml);
  }
  if (step === 'start') {
    const browser = known || newSecret();
    // The answer comes from a page of the identity provider, without the cookie of the session.
    const session = sha256(cookieNamed(cookie, sessionCookieName({ isSecure })));
    const returnTo = new URLSearchParams(search).get('next') ?? undefined;
    const started = { provider, browser, network, session, ...(returnTo === undefined ? {} : { returnTo }) };
    headers.Location = (await call(startSamlSignIn, started)).redirect;
    headers['Set-Cookie'] = samlCookie(browser, isSecure);
    return sendContent(exchange, 302, undefined);
  }
  checkForm(request);
  // Before the body is read, which a stranger may make large.
  if (!known)
    throw forbidden('No sign-in began in this browser within the last ten minutes; start again', 'sign_in_rejected');
  const response = await readResponse(request);
  const answer = { provider, response, browser: known, network };
  if (prefersJson(request)) return sendJson(exchange, 200, await call(finishSamlSignIn, answer));
  const agent = request.headers['user-agent'] ?? '';
  const { secret, expiresAt, organization = '', returnTo } = await call(openSessionBySaml, { ...answer, agent });
  headers['Set-Cookie'] = sessionCookie(secret, expiresAt, { isSecure });
  headers.Location = returnTo ?? `${basePath}${appPaths.screens}/o/${organization}`;
  return sendContent(exchange, 303, undefined);
}

const cookieAge = 600;

/**
 * Lets the browser that begins a sign-in prove at its end that it is the same. The identity provider's page posts the answer, so a
 * `SameSite` cookie would stay behind. Over http, browsers refuse `SameSite=None`, and send a cookie without it for two minutes.
 */
const samlCookie = (browser: string, isSecure: boolean): string =>
  isSecure
    ? `${samlCookieName(isSecure)}=${browser}; Path=/; Max-Age=${cookieAge}; HttpOnly; Secure; SameSite=None`
    : `${samlCookieName(isSecure)}=${browser}; Path=/; Max-Age=${cookieAge}; HttpOnly`;

function checkForm(request: IncomingMessage): void {
  const type = String(request.headers['content-type'] ?? '').split(';')[0];
  if (type?.trim().toLowerCase() !== 'application/x-www-form-urlencoded')
    throw apiError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/x-www-form-urlencoded');
}

/** Reads the field `SAMLResponse` of the form that the browser posts for the identity provider. */
async function readResponse(request: IncomingMessage): Promise<string> {
  const body = await readBytes(request, bodyLimit);
  const [response, ...others] = new URLSearchParams(body.toString()).getAll('SAMLResponse');
  if (!response || others.length > 0) throw invalid('SAMLResponse: must be given exactly once');
  return response;
}
