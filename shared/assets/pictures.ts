import type { WebAnswer } from '../http/web-answer.js';

/** A picture of 32 by 32, as SVG. */
export const iconSvg = (content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${content}</svg>`;

/** An open book, for pages without an icon of their own. */
export const bookIcon = iconSvg(
  '<rect width="32" height="32" rx="7" fill="#1d4ed8"/>' +
    '<path d="M15 9.5C13 8 10.3 7.5 7 7.5v14.5c3.3 0 6 .5 8 2zm2 0c2-1.5 4.7-2 8-2v14.5c-3.3 0-6 .5-8 2z" fill="#fff"/>',
);

/** Nothing runs in a picture, even when it is opened alone. */
const picturePolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** Answers with a picture whose address stays when it changes. */
export const pictureAnswer = (svg: string): WebAnswer => ({
  status: 200,
  headers: {
    'Content-Type': 'image/svg+xml',
    'Cache-Control': 'public, max-age=86400',
    'Content-Security-Policy': picturePolicy,
  },
  body: svg,
  kind: 'asset',
});
