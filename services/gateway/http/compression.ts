import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { KeyedCache } from '../../../shared/work/keyed-cache.js';
import { Semaphore } from '../../../shared/work/semaphore.js';
import { weights } from './accept.js';

export type Coding = 'br' | 'gzip';

const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);
const compress: Record<Coding, (content: string | Buffer) => Promise<Buffer>> = {
  br: (content) => compressBrotli(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (content) => compressGzip(content, { level: 4 }),
};

/** The coding that an `Accept-Encoding` header prefers, the better one of two that it likes as much; undefined where that is none. */
export function codingOf(header: string): Coding | undefined {
  const wishes = weights(header);
  const wish = (coding: Coding) => wishes.get(coding) ?? wishes.get('*') ?? 0;
  const best = wish('gzip') > wish('br') ? 'gzip' : 'br';
  return wish(best) > 0 && wish(best) >= (wishes.get('identity') ?? 0) ? best : undefined;
}

/** Bytes of compressed answers that are kept. */
const maxCacheBytes = 64 * 1024 * 1024;
/** Files, name look-ups and passwords share the process's four threads with compression. */
const few = new Semaphore(2);
const maxWaiting = 64;

const answers = new KeyedCache<Buffer>({ maxSize: maxCacheBytes, sizeOf: ({ length }) => length + 200 });

/**
 * Compresses content off the event loop; content that has a name (equal for equal content) once for each coding. Undefined where
 * too many others wait: the content then goes out as it is.
 */
export async function compressBody(
  content: string | Buffer,
  coding: Coding,
  name: string | undefined,
): Promise<Buffer | undefined> {
  const known = name === undefined ? undefined : answers.known(`${coding} ${name}`);
  if (known) return known;
  if (few.waiting >= maxWaiting) return undefined;
  const make = () => few.run(() => compress[coding](content));
  return name === undefined ? make() : answers.get(`${coding} ${name}`, make);
}
