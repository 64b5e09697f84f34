/** Writes the stylesheets, the scripts and the fonts of sites and of the app into the build. */
import { buildAssets } from '../../shared/assets/build-assets.js';
import { appAssetsFolder, appSources } from '../app/style/app-assets.js';
import { readerAssetsFolder, readerSources } from '../reader/style/reader-assets.js';

await buildAssets(readerAssetsFolder, readerSources);
await buildAssets(appAssetsFolder, appSources);
