import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

export type Ranges = [ipaddr.IPv4 | ipaddr.IPv6, number][];
export const parseRanges = (cidrs: string[]): Ranges => cidrs.map((cidr) => ipaddr.parseCIDR(cidr));

export function isWithin(address: string, ranges: Ranges): boolean {
  if (ranges.length === 0 || !ipaddr.isValid(address)) return false;
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

/** Addresses that were seen last, so that each request need not parse its own. */
const knownAddresses = new LRUCache<string, { plain: string; network: string }>({ max: 10_000 });

function knownAddress(address: string): { plain: string; network: string } {
  const seen = knownAddresses.get(address);
  if (seen) return seen;
  const parsed = { plain: plainAddress(address) ?? address, network: readNetwork(address) };
  knownAddresses.set(address, parsed);
  return parsed;
}

/** The nearest address that is not a trusted proxy. `X-Forwarded-For` is believed only as far as trusted proxies wrote it. */
export function clientAddress(request: IncomingMessage, trusted: Ranges): string {
  const direct = request.socket.remoteAddress ?? '';
  let client = knownAddress(direct).plain;
  if (trusted.length === 0) return client;
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
export const networkOf = (address: string): string => knownAddress(address).network;

function readNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}
