import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { invalid, methodNotAllowed } from '../../../shared/errors.js';

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

/** Those of the named headers that a request has. */
export function headersNamed({ headers }: IncomingMessage, names: string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
}

export type Ranges = [ipaddr.IPv4 | ipaddr.IPv6, number][];
export const parseRanges = (cidrs: string[]): Ranges => cidrs.map((cidr) => ipaddr.parseCIDR(cidr));

export function isWithin(address: string, ranges: Ranges): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return ranges.some(
    ([network, bits]) => network.kind() === parsed.kind() && parsed.match(network as ipaddr.IPv4, bits),
  );
}

/** An address in normal form, without the port that some proxies add; undefined when it is not an address. */
function plainAddress(text: string): string | undefined {
  const hop = text.trim();
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(hop)?.[1] ?? /^([\d.]+):\d+$/.exec(hop)?.[1] ?? hop;
  const known = ipaddr.IPv4.isValidFourPartDecimal(bare) || ipaddr.IPv6.isValid(bare);
  return known ? ipaddr.process(bare).toString() : undefined;
}

/** The nearest address that is not a trusted proxy. `X-Forwarded-For` is believed only as far as trusted proxies wrote it. */
export function clientAddress(request: IncomingMessage, trusted: Ranges): string {
  const direct = request.socket.remoteAddress ?? '';
  let client = plainAddress(direct) ?? direct;
  const hops = String(request.headers['x-forwarded-for'] ?? '').split(',');
  while (isWithin(client, trusted)) {
    const before = plainAddress(hops.pop() ?? '');
    if (before === undefined) break;
    client = before;
  }
  return client;
}

/** The network that a request comes from, see `networkOf`. */
export const clientNetwork = (request: IncomingMessage, trusted: Ranges): string =>
  networkOf(clientAddress(request, trusted));

/** The network that counts as one client: an IPv4 address, or the /64 of an IPv6 address. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}
