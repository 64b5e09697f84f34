import { createHash } from 'node:crypto';
import { isTurnOver, nextTurn } from '../../../../shared/work/slices.js';

/** Git's hash of a file's content. */
export function blobOid(content: string | Uint8Array): string {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

const slice = 1_000_000;

/** The same, of a file that may be large. */
export async function blobOidInSlices(content: Uint8Array): Promise<string> {
  const hash = createHash('sha1').update(`blob ${content.length}\0`);
  for (let start = 0; start < content.length; start += slice) {
    hash.update(content.subarray(start, start + slice));
    if (isTurnOver()) await nextTurn();
  }
  return hash.digest('hex');
}
