import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { FewAtOnce } from '../../../shared/work/few-at-once.js';

export type Coding = 'br' | 'gzip';

const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);
const compress: Record<Coding, (content: string | Buffer) => Promise<Buffer>> = {
  br: (content) => compressBrotli(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (content) => compressGzip(content, { level: 4 }),
};

/** The coding that an `Accept-Encoding` header allows by name. */
export function codingOf(header: string): Coding | undefined {
  const accepted = header.split(',').flatMap((part) => {
    const [name, ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    return parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) ? [] : [name];
  });
  return (['br', 'gzip'] as const).find((coding) => accepted.includes(coding));
}

/** Bytes of compressed answers that are kept. */
const mostKept = 64 * 1024 * 1024;
/** Files, name look-ups and passwords share the process's four threads with compression. */
const few = new FewAtOnce(2);
const mostWaiting = 64;

interface Asked {
  content: string | Buffer;
  coding: Coding;
}

const kept = new LRUCache<string, Buffer, Asked>({
  maxSize: mostKept,
  sizeCalculation: ({ length }) => length + 200,
  ignoreFetchAbort: true,
  fetchMethod: (_, __, { context: { content, coding } }) => few.run(() => compress[coding](content)),
});

/**
 * Compresses content off the event loop; content that has a name (equal for equal content) once for each coding. Undefined where
 * too many others wait: the content then goes out as it is.
 */
export async function compressed(
  content: string | Buffer,
  coding: Coding,
  name: string | undefined,
): Promise<Buffer | undefined> {
  const known = name === undefined ? undefined : kept.get(`${coding} ${name}`);
  if (known) return known;
  if (few.waiting >= mostWaiting) return undefined;
  if (name === undefined) return few.run(() => compress[coding](content));
  return kept.fetch(`${coding} ${name}`, { context: { content, coding } });
}
