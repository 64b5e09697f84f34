import type { AssetSources } from '../../../shared/assets/build-assets.js';
import type { Asset, Assets } from '../../../shared/assets/open-assets.js';
import { packageFile } from '../../../shared/process/package-root.js';

/** Where the build writes the files of sites. */
export const readerAssetsFolder = packageFile('dist/services/reader/assets');

const sheets = ['tokens', 'base', 'layout', 'content', 'openapi', 'search', 'print'];

/** The files that every page of a site loads. A customization sets its colors in the layer `theme`. */
export const readerSources: AssetSources = {
  name: 'reader',
  sheets: sheets.map((layer) => ({ layer, path: `services/reader/style/css/${layer}.css` })),
  layers: ['tokens', 'theme', ...sheets.slice(1)],
  scripts: { reader: 'services/reader/browser/reader.ts' },
  scriptFolders: ['services/reader/browser'],
};

/** The script of all pages. */
export const readerScript = ({ scripts }: Assets): Asset => scripts.reader as Asset;
