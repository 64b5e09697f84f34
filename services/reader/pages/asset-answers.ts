import { fileAnswer } from '../../../shared/assets/asset-answer.js';
import type { Assets } from '../../../shared/assets/open-assets.js';
import type { ReaderAnswer } from '../contract.js';
import { defaultFavicon, emojiFavicon } from '../style/favicon.js';

/** Nothing runs in a picture, even when it is opened alone. */
const picturePolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** A file that the pages load, by its path below `/~reader/`. */
export function assetAnswer(assets: Assets, path: string): ReaderAnswer {
  if (path === 'favicon.svg') return pictureAnswer(defaultFavicon);
  const [, emoji] = /^emoji\/([^/]{1,300})\.svg$/.exec(path) ?? [];
  if (emoji !== undefined) return pictureAnswer(emojiFavicon(decoded(emoji)));
  return fileAnswer(assets, path) ?? missing;
}

const pictureAnswer = (svg: string): ReaderAnswer => ({
  status: 200,
  headers: {
    'Content-Type': 'image/svg+xml',
    'Cache-Control': 'public, max-age=86400',
    'Content-Security-Policy': picturePolicy,
  },
  body: svg,
  kind: 'asset',
});

const missing: ReaderAnswer = {
  status: 404,
  headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  body: 'Not found\n',
  kind: 'missing',
};

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
