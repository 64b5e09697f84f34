import type { Assets } from '../../../../shared/assets/open-assets.js';
import { isTurnOver, nextTurn } from '../../../../shared/work/slices.js';

const faces = /@font-face\{[^}]*\}/g;

/** The common stylesheet, with the fonts in it that a text needs. */
export async function neededFonts(assets: Assets, texts: readonly string[]): Promise<string> {
  const used = await usedCharacters(texts);
  const hasCode = texts.some((text) => /<(?:code|pre|kbd)\b/.test(text));
  return assets.css.bytes.toString().replace(faces, (face) => {
    const [address, name] = /url\("?fonts\/([^")]+)"?\)/.exec(face) ?? [];
    if (address === undefined || name === undefined) return face;
    const isNeeded = (hasCode || !name.includes('mono')) && rangesOf(face).some((range) => hasSome(used, range));
    const font = isNeeded ? assets.font(name) : null;
    return font ? face.replace(address, `url(data:font/woff2;base64,${font.bytes.toString('base64')})`) : '';
  });
}

/** The units that texts consist of: 1 at the position of each. */
async function usedCharacters(texts: readonly string[]): Promise<Uint8Array> {
  const used = new Uint8Array(0x10000);
  for (const text of texts) {
    if (isTurnOver()) await nextTurn();
    for (let at = 0; at < text.length; at++) used[text.charCodeAt(at)] = 1;
  }
  return used;
}

/** First and last characters. */
type Range = [number, number];

function rangesOf(face: string): Range[] {
  const [, list = ''] = /unicode-range:([^;}]*)/i.exec(face) ?? [];
  return [...list.matchAll(/U\+([0-9a-f?]+)(?:-([0-9a-f]+))?/gi)].map(([, first = '', last = first]) => [
    Number.parseInt(first.replaceAll('?', '0'), 16),
    Number.parseInt(last.replaceAll('?', 'F'), 16),
  ]);
}

const hasSome = (used: Uint8Array, [first, last]: Range): boolean => {
  const found = used.indexOf(1, first);
  return found >= 0 && found <= last;
};
