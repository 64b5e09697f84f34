import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

export const hostOf = ({ headers: { host = '' } }: IncomingMessage): string => host.toLowerCase();

/** Whether a host has no signs that would end it in a URL. */
export const isHostName = (host: string): boolean => !/[/\\?#@\s]/.test(host);

/** Names by which machines reach a server are for it alone: addresses, names without a dot, and those of clusters. */
export function isOwnHost(host: string, baseHost: string): boolean {
  const name = host.replace(/:\d+$/, '').replace(/\.$/, '');
  return (
    name === baseHost ||
    isIP(name.replace(/^\[|\]$/g, '')) !== 0 ||
    !name.includes('.') ||
    /\.(?:localhost|local|internal|svc)$/.test(name)
  );
}
