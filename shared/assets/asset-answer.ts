import type { WebAnswer } from '../http/web-answer.js';
import type { Asset, Assets } from './open-assets.js';

const forever = 'public, max-age=31536000, immutable';

/** Answers with a file by its path; null where there is none. Its name changes with its content, so that browsers keep it. */
export function fileAnswer(assets: Assets, path: string): WebAnswer | null {
  const { css, scripts } = assets;
  const found = [css, ...Object.values(scripts)].find((each) => each.path === path) ?? fontAt(assets, path);
  if (!found) return null;
  const { contentType, bytes, hash } = found;
  return {
    status: 200,
    headers: { 'Content-Type': contentType, 'Cache-Control': forever, 'Access-Control-Allow-Origin': '*' },
    ...(contentType.startsWith('text/')
      ? { body: bytes.toString(), name: `asset-${hash}` }
      : { body: bytes.toString('base64'), coding: 'base64' as const }),
    kind: 'asset',
  };
}

const fontAt = (assets: Assets, path: string): Asset | null =>
  path.startsWith('fonts/') ? assets.font(path.slice('fonts/'.length)) : null;
