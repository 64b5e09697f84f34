import { sha256 } from '../values/ids.js';
import { KeyedCache } from '../work/keyed-cache.js';
import { isTooMuch, type TaskFailure } from './workers.js';

interface Memory<T> {
  /** Maximum of all kept results together, as `sizeOf` measures them. */
  maxSize: number;
  sizeOf(result: T): number;
}

/** A failure that the same input would end in again is kept for this long. */
const failureMs = 60_000;

/** Keeps the latest results, and for a while what takes too much; concurrent calls for the same one share the work. */
export function rememberResults<T extends object>({ maxSize, sizeOf }: Memory<T>) {
  const known = new KeyedCache<T | TaskFailure>({
    maxSize,
    sizeOf: (result) => 200 + (result instanceof Error ? 0 : sizeOf(result)),
  });
  return async (parts: unknown[], make: () => Promise<T>): Promise<T> => {
    const result = await known.get(sha256(JSON.stringify(parts)), (keepFor) =>
      make().catch((error) => {
        if (!isTooMuch(error)) throw error;
        keepFor(failureMs);
        return error;
      }),
    );
    if (result instanceof Error) throw result;
    return result;
  };
}
