import { askNameServers, type NameServersOptions } from '../../../shared/outbound/name-servers.js';

/** The values of the TXT records, none where the name has none; or the code of a failed lookup. */
export type Found = { values: string[] } | { failure: string };

/** Looks the TXT records of a name up, each time anew. */
export async function lookUp(name: string, options: NameServersOptions): Promise<Found> {
  try {
    const records = await askNameServers(options, (resolver) => resolver.resolveTxt(name));
    return { values: records.map((chunks) => chunks.join('').trim()) };
  } catch (error) {
    const { code = 'UNKNOWN' } = error as NodeJS.ErrnoException;
    return code === 'ENODATA' || code === 'ENOTFOUND' ? { values: [] } : { failure: code };
  }
}
