import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isAllowedAddress } from './address.js';
import { refusedHost } from './failure.js';
import type { Asking, Lookups } from './lookups.js';

/** The addresses of a host that requests may go to. Throws `OutboundRefused` when it has none, and what `Lookups` throws. */
export async function allowedAddresses(
  host: string,
  { lookups, allowCidrs, ...asking }: Asking & { lookups: Lookups; allowCidrs: readonly string[] },
): Promise<LookupAddress[]> {
  refuseLiteral(host, allowCidrs);
  const family = isIP(host);
  if (family !== 0) return [{ address: host, family }];
  const found = await lookups.findAddresses(host, asking);
  const allowed = found.filter(({ address }) => isAllowedAddress(address, allowCidrs));
  if (allowed.length === 0) throw refusedHost(host);
  return allowed;
}

/**
 * A `lookup` for sockets that takes the addresses that `find` gives. The socket connects to one of them, so there is no second lookup to rebind.
 * Sockets do not call it for an IP literal: check those with `refuseLiteral` first.
 */
export function socketLookup(find: (hostname: string) => Promise<LookupAddress[]>): LookupFunction {
  return (hostname, options, callback) => {
    find(hostname).then(
      (addresses) => {
        const [first] = addresses as [LookupAddress];
        if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

/** Throws `OutboundRefused` when the host is an IP address that requests may not go to. */
export function refuseLiteral(host: string, allowCidrs: readonly string[]): void {
  if (isIP(host) !== 0 && !isAllowedAddress(host, allowCidrs)) throw refusedHost(host);
}
