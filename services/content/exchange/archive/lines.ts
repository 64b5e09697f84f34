/** Bytes of lines that are written at once. */
const maxPiece = 64 * 1024;

export const toJson = (value: object): Buffer => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);

/** Whether a line is about none of the spaces that an archive leaves out. */
export const isOfKept = ({ space }: { space?: string }, kept: ReadonlySet<string>): boolean =>
  space === undefined || kept.has(space);

/** The values as lines of JSON, in pieces. */
export async function* toLines(values: Iterable<object> | AsyncIterable<object>): AsyncGenerator<Buffer> {
  let held = '';
  for await (const value of values) {
    held += `${JSON.stringify(value)}\n`;
    if (held.length < maxPiece) continue;
    yield Buffer.from(held);
    held = '';
  }
  if (held !== '') yield Buffer.from(held);
}
