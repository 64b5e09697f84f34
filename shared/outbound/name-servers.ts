import { CANCELLED, TIMEOUT } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { scaleMs } from '../settings/time-scale.js';

const tryMs = scaleMs(1_000);
const tries = 2;
/** However many name servers there are, and however they behave. */
const usualMs = scaleMs(4_000);

export interface NameServersOptions {
  /** Name servers to ask; those of the machine where there are none. */
  servers?: readonly string[];
  signal?: AbortSignal | undefined;
  /** For all that is asked. */
  maxMs?: number;
}

/**
 * Asks name servers, for a few seconds at most, with a resolver of its own, which remembers nothing. Unlike the lookups of the system it holds no
 * thread, so that silent name servers hold up nobody else. Rejects with the code of the failure.
 */
export async function askNameServers<T>(
  { servers = [], signal, maxMs = usualMs }: NameServersOptions,
  ask: (resolver: Resolver) => Promise<T>,
): Promise<T> {
  const resolver = new Resolver({ timeout: tryMs, tries });
  if (servers.length > 0) resolver.setServers(servers);
  const cancel = () => resolver.cancel();
  const late = setTimeout(cancel, maxMs);
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    return await ask(resolver);
  } catch (error) {
    signal?.throwIfAborted();
    const { code = 'UNKNOWN' } = error as NodeJS.ErrnoException;
    throw Object.assign(new Error('the lookup failed'), { code: code === CANCELLED ? TIMEOUT : code });
  } finally {
    clearTimeout(late);
    signal?.removeEventListener('abort', cancel);
  }
}
