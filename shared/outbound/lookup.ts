import type { LookupAddress } from 'node:dns';
import { Resolver, lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { allowedAddress } from './address.js';
import { refusedHost } from './failure.js';

// getaddrinfo blocks one of libuv's four threads, for seconds when a name server is slow; files and zlib need the others.
const MAX_LOOKUPS = 2;
let running = 0;
const waiting: (() => void)[] = [];

/**
 * A `lookup` for sockets that returns only addresses that requests may go to. It fails with `OutboundRefused` when a name has
 * none. The socket connects to the returned address, so there is no second lookup to rebind. Sockets do not call it for an
 * IP literal: check those with `refuseLiteral` first.
 */
export function guardedLookup(allowCidrs: readonly string[], lookUp: LookUp = lookUpBySystem): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, allowCidrs, lookUp).then(
      (addresses) => {
        if (options.all) callback(null, addresses);
        else callback(null, addresses[0].address, addresses[0].family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

/** Throws `OutboundRefused` when the host is an IP address that requests may not go to. */
export function refuseLiteral(host: string, allowCidrs: readonly string[]): void {
  if (isIP(host) !== 0 && !allowedAddress(host, allowCidrs)) throw refusedHost(host);
}

async function resolve(
  hostname: string,
  allowCidrs: readonly string[],
  lookUp: LookUp,
): Promise<[LookupAddress, ...LookupAddress[]]> {
  const all = await lookUp(hostname);
  const [first, ...others] = all.filter(({ address }) => allowedAddress(address, allowCidrs));
  if (!first) throw refusedHost(hostname);
  return [first, ...others];
}

/** All addresses of a name. */
export type LookUp = (hostname: string) => Promise<LookupAddress[]>;

const lookUpBySystem: LookUp = async (hostname) => {
  if (running >= MAX_LOOKUPS) await new Promise<void>((go) => waiting.push(go));
  running++;
  try {
    return await systemLookup(hostname, { all: true });
  } finally {
    running--;
    waiting.shift()?.();
  }
};

/**
 * Asks name servers alone, which takes no thread: for names that strangers choose, whose name servers may never answer. It knows no
 * names of the machine.
 */
export function lookUpByNameServers(servers: readonly string[] = []): LookUp {
  return async (hostname) => {
    const resolver = new Resolver({ timeout: 1000, tries: 2 });
    if (servers.length > 0) resolver.setServers(servers);
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const found = [
      ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
      ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
    ];
    if (found.length === 0 && four.status === 'rejected') throw four.reason;
    return found;
  };
}
