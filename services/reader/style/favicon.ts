import { iconSvg } from '../../../shared/assets/pictures.js';
import { escapeHtml } from '../../../shared/text/escaped-html.js';

const maxCodePoints = 20;

/** The characters of an emoji, which customizations also give as code points: `1f4a5`, `1f468-200d-1f4bb`. */
export function emojiText(emoji: string): string {
  if (!/^[0-9a-f]{2,6}(-[0-9a-f]{1,6})*$/i.test(emoji)) return emoji;
  const points = emoji.split('-', maxCodePoints).map((point) => Number.parseInt(point, 16));
  const isCharacter = (point: number) => point >= 0x20 && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff);
  return String.fromCodePoint(...points.filter(isCharacter));
}

/** An emoji as an icon in SVG. Control characters, which XML does not allow, are left out. */
export function emojiFavicon(emoji: string): string {
  const text = emojiText(emoji)
    .replace(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, '')
    .slice(0, 100);
  return iconSvg(`<text x="16" y="27" font-size="28" text-anchor="middle">${escapeHtml(text)}</text>`);
}
