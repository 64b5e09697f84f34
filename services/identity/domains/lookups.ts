import { CANCELLED, TIMEOUT } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { scaled } from '../../../shared/settings/time-scale.js';

/** What a lookup found: the values of the TXT records, or the code of its failure. */
export type Found = { values: string[] } | { failure: string };

const tryMs = scaled(1_000);
const tries = 2;
/** However many name servers there are, and however they behave. */
const longestMs = scaled(4_000);

interface LookupOptions {
  /** Name servers to ask; those of the machine where there are none. */
  servers: readonly string[];
  signal?: AbortSignal | undefined;
}

/** Looks the TXT records of a name up, in four seconds at most. Each time with a new resolver, which remembers nothing. */
export async function lookUp(name: string, { servers, signal }: LookupOptions): Promise<Found> {
  const resolver = new Resolver({ timeout: tryMs, tries });
  if (servers.length > 0) resolver.setServers(servers);
  const cancel = () => resolver.cancel();
  const late = setTimeout(cancel, longestMs);
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    return { values: (await resolver.resolveTxt(name)).map((chunks) => chunks.join('').trim()) };
  } catch (error) {
    const { code = 'UNKNOWN' } = error as NodeJS.ErrnoException;
    if (code === 'ENODATA' || code === 'ENOTFOUND') return { values: [] };
    return { failure: code === CANCELLED ? TIMEOUT : code };
  } finally {
    clearTimeout(late);
    signal?.removeEventListener('abort', cancel);
  }
}
