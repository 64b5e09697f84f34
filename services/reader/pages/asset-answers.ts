import { fileAnswer } from '../../../shared/assets/asset-answer.js';
import type { Assets } from '../../../shared/assets/open-assets.js';
import { bookIcon, pictureAnswer } from '../../../shared/assets/pictures.js';
import type { ReaderAnswer } from '../contract.js';
import { emojiFavicon } from '../style/favicon.js';

/** A file that the pages load, by its path below `/~reader/`. */
export function assetAnswer(assets: Assets, path: string): ReaderAnswer {
  if (path === 'favicon.svg') return pictureAnswer(bookIcon);
  const [, emoji] = /^emoji\/([^/]{1,300})\.svg$/.exec(path) ?? [];
  if (emoji !== undefined) return pictureAnswer(emojiFavicon(decoded(emoji)));
  return fileAnswer(assets, path) ?? missing;
}

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
