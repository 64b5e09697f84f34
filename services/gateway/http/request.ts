import type { IncomingMessage } from 'node:http';
import { invalid, methodNotAllowed } from '../../../shared/errors/errors.js';

const requestIdPattern = /^[\w.:-]{1,128}$/;

/** The request id that a client chose, if it is valid. */
export function givenRequestId({ headers }: IncomingMessage): string | undefined {
  const given = headers['x-request-id'];
  return typeof given === 'string' && requestIdPattern.test(given) ? given : undefined;
}

/** Bytes that stand for half of a surrogate pair. They are no UTF-8, and none of its sequences contains them. */
const halfInUrl = /%ed%[ab][0-9a-f]/i;

/** Throws 400 for a request whose parts disagree on where it goes, or whose address holds what is no character. */
export function checkAddress({ rawHeaders, url = '' }: IncomingMessage): void {
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host');
  if (hosts.length > 1) throw invalid(`Host: given ${hosts.length} times; give it once`);
  if (halfInUrl.test(url)) throw invalid('the address: has half of a surrogate pair, which is no character');
}

const idempotencyKeyPattern = /^[\x21-\x7e]{1,255}$/;

/** The key under which a client may repeat a write. Throws 400 where it is malformed. */
export function idempotencyKeyOf({ headers }: IncomingMessage): string | undefined {
  const given = headers['idempotency-key'];
  if (given === undefined) return undefined;
  if (typeof given === 'string' && idempotencyKeyPattern.test(given)) return given;
  throw invalid('Idempotency-Key: must be 1 to 255 ASCII characters without spaces');
}

/** Throws 405 for a method that is not among those allowed. */
export function checkMethod({ method = 'GET' }: IncomingMessage, allowed: string[]): void {
  if (!allowed.includes(method)) throw methodNotAllowed(method, allowed);
}

/** Picks the named headers that a request has. */
export function headersNamed({ headers }: IncomingMessage, names: string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
}

/** A browser asks with it whether a page may send a request. */
export const isPreflight = ({ method, headers }: IncomingMessage): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;

/** The path of the public address without a trailing slash: empty, or for example `/bindery`. */
export const basePathOf = (baseUrl: string): string => new URL(baseUrl).pathname.replace(/\/+$/, '');

/** The URL of a request without the base path. A proxy may have removed it already. */
export function withoutBase(url: string, basePath: string): string {
  if (basePath === '' || !url.startsWith(basePath)) return url;
  const rest = url.slice(basePath.length);
  if (rest === '' || rest.startsWith('?')) return `/${rest}`;
  return rest.startsWith('/') ? rest : url;
}
