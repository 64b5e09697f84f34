import type { ReaderAnswer } from '../contract.js';
import type { Asset, ReaderAssets } from '../style/assets.js';
import { defaultFavicon, emojiFavicon } from '../style/favicon.js';

const forever = 'public, max-age=31536000, immutable';
/** Nothing runs in a picture, even when it is opened alone. */
const picturePolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** A file that the pages load, by its path below `/~reader/`. */
export function assetAnswer(assets: ReaderAssets, path: string): ReaderAnswer {
  if (path === 'favicon.svg') return pictureAnswer(defaultFavicon);
  const [, emoji] = /^emoji\/([^/]{1,300})\.svg$/.exec(path) ?? [];
  if (emoji !== undefined) return pictureAnswer(emojiFavicon(decoded(emoji)));
  const found = [assets.css, assets.script].find((each) => each.path === path) ?? fontAt(assets, path);
  return found ? fileAnswer(found) : missing;
}

const fontAt = (assets: ReaderAssets, path: string): Asset | null =>
  path.startsWith('fonts/') ? assets.font(path.slice('fonts/'.length)) : null;

const isText = ({ contentType }: Asset) => contentType.startsWith('text/');

const fileAnswer = (asset: Asset): ReaderAnswer => ({
  status: 200,
  headers: { 'Content-Type': asset.contentType, 'Cache-Control': forever, 'Access-Control-Allow-Origin': '*' },
  ...(isText(asset)
    ? { body: asset.bytes.toString(), name: `reader-${asset.hash}` }
    : { body: asset.bytes.toString('base64'), coding: 'base64' as const }),
  kind: 'asset',
});

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
