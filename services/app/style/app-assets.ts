import type { AssetSources } from '../../../shared/assets/build-assets.js';
import { packageFile } from '../../../shared/process/package-root.js';

/** Where the build writes the files of the app. */
export const appAssetsFolder = packageFile('dist/services/app/assets');

const ofReader = ['tokens', 'base', 'content', 'openapi'];
const own = [
  'frame',
  'elements',
  'screens',
  'organizations',
  'tree',
  'sites',
  'people',
  'comments',
  'changes',
  'differences',
  'editor',
];

/** The files that screens load. Pages of spaces look as they do on sites. */
export const appSources: AssetSources = {
  name: 'app',
  sheets: [
    ...ofReader.map((layer) => ({ layer, path: `services/reader/style/css/${layer}.css` })),
    ...own.map((layer) => ({ layer, path: `services/app/style/css/${layer}.css` })),
  ],
  scripts: {
    app: 'services/app/browser/app.ts',
    passkeys: 'services/app/browser/passkeys.ts',
    tree: 'services/app/browser/tree.ts',
    editor: 'services/app/browser/editor/editor.ts',
  },
  scriptFolders: ['services/app/browser', 'services/app/sources'],
};
