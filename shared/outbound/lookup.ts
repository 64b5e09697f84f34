import type { LookupAddress } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';
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
export function guardedLookup(allowCidrs: readonly string[]): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, allowCidrs).then(
      (addresses) => {
        const first = addresses[0] as LookupAddress;
        if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

/** Throws `OutboundRefused` when the host is an IP address that requests may not go to. */
export function refuseLiteral(host: string, allowCidrs: readonly string[]): void {
  if (isIP(host) !== 0 && !allowedAddress(host, allowCidrs)) throw refusedHost(host);
}

async function resolve(hostname: string, allowCidrs: readonly string[]): Promise<LookupAddress[]> {
  if (running >= MAX_LOOKUPS) await new Promise<void>((go) => waiting.push(go));
  running++;
  try {
    const all = await systemLookup(hostname, { all: true });
    const allowed = all.filter(({ address }) => allowedAddress(address, allowCidrs));
    if (allowed.length === 0) throw refusedHost(hostname);
    return allowed;
  } finally {
    running--;
    waiting.shift()?.();
  }
}
