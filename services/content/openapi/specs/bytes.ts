import { eachInSlices } from '../../../../shared/work/slices.js';

/** Characters. */
const encodedAtOnce = 256 * 1024;

/** As `Buffer.from`, for a text of any length: other work gets its turn meanwhile. */
export async function bytesInSlices(text: string): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(Buffer.byteLength(text));
  let at = 0;
  await eachInSlices(partsOf(text), (part) => {
    at += bytes.write(part, at);
  });
  return bytes;
}

/** The two halves of one character stay together. */
function* partsOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const end = start + encodedAtOnce;
    const isCut = (text.codePointAt(end - 1) ?? 0) > 0xffff;
    const part = text.slice(start, isCut ? end + 1 : end);
    start += part.length;
    yield part;
  }
}
