import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The names of the files that the build made. */
export interface AssetManifest {
  /** The hash of all that they are made of. */
  inputs: string;
  css: string;
  /** By the first part of their names. */
  scripts: Record<string, string>;
  /** Within `fonts/`. */
  fonts: string[];
  /** The fonts that pages load at once. */
  preload: string[];
}

export interface Asset {
  /** Relative to the folder of the assets: `reader-1a2b3c4d.css`, `fonts/…`. It changes with the content. */
  path: string;
  contentType: string;
  bytes: Buffer;
  /** The hash in its name. */
  hash: string;
}

export interface Assets {
  css: Asset;
  /** By the first part of their names. */
  scripts: Record<string, Asset>;
  /** The paths of the fonts that pages load at once. */
  preload: string[];
  /** A font by its name in `fonts/`; null when there is none. */
  font(name: string): Asset | null;
}

const contentTypes: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  woff2: 'font/woff2',
};

function readAsset(folder: string, path: string): Asset {
  const [, hash = '', extension = ''] = /-([0-9a-f]{8})\.(\w+)$/.exec(path) ?? [];
  const contentType = contentTypes[extension] ?? 'application/octet-stream';
  return { path, contentType, bytes: readFileSync(join(folder, path)), hash };
}

/** Opens what the build made. Fonts are read on first use. Throws when it made nothing. */
export function openAssets(folder: string): Assets {
  const file = join(folder, 'manifest.json');
  if (!existsSync(file))
    throw new Error(`The stylesheet and scripts of pages are missing in ${folder}: run npm run build.`);
  const { css, scripts, fonts, preload } = JSON.parse(readFileSync(file, 'utf8')) as AssetManifest;
  const names = new Set(fonts);
  const kept = new Map<string, Asset>();
  return {
    css: readAsset(folder, css),
    scripts: Object.fromEntries(Object.entries(scripts).map(([name, path]) => [name, readAsset(folder, path)])),
    preload: preload.map((name) => `fonts/${name}`),
    font(name) {
      if (!names.has(name)) return null;
      const found = kept.get(name) ?? readAsset(folder, `fonts/${name}`);
      kept.set(name, found);
      return found;
    },
  };
}
