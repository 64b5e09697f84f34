import { Readable } from 'node:stream';

/** The byte positions of a range, both inclusive, cut to the content; undefined when nothing is left. */
export function clipRange(
  size: number,
  range?: { start: number; end: number },
): { start: number; end: number } | undefined {
  const start = Math.max(0, range?.start ?? 0);
  const end = Math.min(size - 1, range?.end ?? size - 1);
  return start <= end ? { start, end } : undefined;
}

export const emptyContent = (): Readable => Readable.from([]);

/** Yields the bytes in pieces of `size`; the last may be shorter. */
export async function* toPieces(content: Buffer | AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Buffer> {
  let parts: Uint8Array[] = [];
  let held = 0;
  for await (const part of Buffer.isBuffer(content) ? [content] : content) {
    let rest = part;
    while (held + rest.length >= size) {
      yield Buffer.concat([...parts, rest.subarray(0, size - held)]);
      rest = rest.subarray(size - held);
      parts = [];
      held = 0;
    }
    if (rest.length > 0) parts.push(rest);
    held += rest.length;
  }
  if (held > 0) yield Buffer.concat(parts);
}
