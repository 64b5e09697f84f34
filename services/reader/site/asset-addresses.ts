import type { Assets } from '../../../shared/assets/open-assets.js';
import type { Customization } from '../../sites/resources.js';
import { readerScript } from '../style/reader-assets.js';
import { themeSheet } from '../style/theme-sheet.js';

/** Where the files of the pages themselves are; an upload never is. */
export const assetsPath = '/~reader/';

/** The addresses of the files that every page of a site loads. */
export interface AssetAddresses {
  css: string;
  script: string;
  /** The stylesheet of the customization. */
  theme: string;
  fonts: string[];
  favicon: string;
}

/** `rootPath`: the path of the server, without a slash at its end. */
export function assetAddresses(
  assets: Assets,
  { rootPath, basePath, customization }: { rootPath: string; basePath: string; customization: Customization },
): AssetAddresses {
  const { css, preload } = assets;
  const base = rootPath + assetsPath;
  const { emoji } = customization.favicon;
  return {
    css: base + css.path,
    script: base + readerScript(assets).path,
    theme: `${basePath}~theme/${themeSheet(customization).hash}.css`,
    fonts: preload.map((path) => base + path),
    favicon: emoji === undefined ? `${base}favicon.svg` : `${base}emoji/${encodeURIComponent(emoji)}.svg`,
  };
}
