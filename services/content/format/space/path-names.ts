import { isUtf8 } from 'node:buffer';

// biome-ignore lint/suspicious/noControlCharactersInRegex: names may have any character.
const onlyAscii = /^[\x00-\x7f]*$/;

/** A path with its letters composed: macOS and some archives take accents apart. */
export const composeLetters = (path: string): string => (onlyAscii.test(path) ? path : path.normalize('NFC'));

type Paths = ReadonlySet<string> | ReadonlyMap<string, unknown>;

const composedPaths = new WeakMap<Paths, ReadonlyMap<string, string>>();

/** A path as it is among others that do not change any more, which may compose its letters otherwise; undefined for one that is not there. */
export function findKnownPath(paths: Paths, path: string): string | undefined {
  if (paths.has(path)) return path;
  if (onlyAscii.test(path)) return undefined;
  const known =
    composedPaths.get(paths) ??
    new Map([...paths.keys()].flatMap((each) => (onlyAscii.test(each) ? [] : [[composeLetters(each), each] as const])));
  composedPaths.set(paths, known);
  return known.get(composeLetters(path));
}

/** The text of a name. Bytes that are no UTF-8 are percent-encoded, as a link writes them. */
export function decodeName(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const length = [1, 2, 3, 4].find((each) => at + each <= bytes.length && isUtf8(bytes.subarray(at, at + each)));
    text += length
      ? bytes.toString('utf8', at, at + length)
      : `%${(bytes[at] as number).toString(16).toUpperCase().padStart(2, '0')}`;
    at += length ?? 1;
  }
  return text;
}

/** Paths with names that are no UTF-8, and their folders, by their texts. */
export type RawPaths = ReadonlyMap<string, Buffer>;

const slash = 0x2f;

/** A path and its folder, where they have names that are no UTF-8. */
export const nonUtf8PathsOf = (path: Buffer): [text: string, path: Buffer][] =>
  isUtf8(path)
    ? []
    : [path, path.subarray(0, Math.max(path.lastIndexOf(slash), 0))].map((each) => [decodeName(each), each]);

/** The bytes of a path, also of one that is new in a folder whose name is no UTF-8. */
export function pathBytes(raw: RawPaths, path: string): Buffer {
  const known = raw.get(path);
  if (known) return known;
  const end = raw.size === 0 ? -1 : path.lastIndexOf('/');
  return end < 0
    ? Buffer.from(path)
    : Buffer.concat([pathBytes(raw, path.slice(0, end)), Buffer.from(path.slice(end))]);
}
