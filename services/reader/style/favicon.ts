import { escapeHtml } from '../../../shared/text/escaped-html.js';

const svg = (content: string) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${content}</svg>`;

/** An open book, for sites without an icon. */
export const defaultFavicon = svg(
  '<rect width="32" height="32" rx="7" fill="#1d4ed8"/>' +
    '<path d="M15 9.5C13 8 10.3 7.5 7 7.5v14.5c3.3 0 6 .5 8 2zm2 0c2-1.5 4.7-2 8-2v14.5c-3.3 0-6 .5-8 2z" fill="#fff"/>',
);

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
  return svg(`<text x="16" y="27" font-size="28" text-anchor="middle">${escapeHtml(text)}</text>`);
}
