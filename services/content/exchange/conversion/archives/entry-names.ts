import { isUtf8 } from 'node:buffer';
import type { Entry } from 'yauzl';

const isAscii = (bytes: Buffer): boolean => bytes.every((byte) => byte < 0x80);
const unicodeFlag = 0x800;
const unicodePath = 0x7075;
/** The system that made an entry, by the upper byte of its version. */
const dos = 0;

const isMarked = ({ generalPurposeBitFlag, extraFields }: Entry): boolean =>
  (generalPurposeBitFlag & unicodeFlag) !== 0 || extraFields.some(({ id }) => id === unicodePath);

/**
 * The names of the entries of an archive. Where an entry does not say that its name is UTF-8, it may be so nevertheless, as macOS writes
 * it; else it is in the code page of who packed it: Japanese, of DOS (CP437) or of Western Europe.
 */
export function entryNames(entries: readonly Entry[]): string[] {
  const unknown = entries.filter(
    (entry) => !isMarked(entry) && !isAscii(entry.fileNameRaw) && !isUtf8(entry.fileNameRaw),
  );
  const japanese = japaneseNames(unknown);
  return entries.map((entry) => {
    const raw = entry.fileNameRaw;
    if (isMarked(entry) || isAscii(raw)) return entry.fileName;
    if (isUtf8(raw)) return withSlashes(raw.toString('utf8'));
    const name = japanese?.get(entry);
    if (name !== undefined) return withSlashes(name);
    return entry.versionMadeBy >>> 8 === dos ? entry.fileName : withSlashes(western.decode(raw));
  });
}

const western = new TextDecoder('windows-1252');
const twoJapanese = /[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}ー]{2}/u;

/** The names, if all of them can be Japanese and one has a word of it; letters with accents before others look like single signs. */
function japaneseNames(entries: readonly Entry[]): Map<Entry, string> | undefined {
  const decoder = new TextDecoder('shift_jis', { fatal: true });
  try {
    const names = new Map(entries.map((entry) => [entry, decoder.decode(entry.fileNameRaw)]));
    const isJapanese = [...names.values()].some((name) => twoJapanese.test(name.normalize('NFKC')));
    return isJapanese ? names : undefined;
  } catch {
    return undefined;
  }
}

const withSlashes = (name: string): string => name.replaceAll('\\', '/');
