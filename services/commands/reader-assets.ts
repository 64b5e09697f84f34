/** Writes the stylesheet, the script and the fonts of sites into the build. */
import { assetsFolder } from '../reader/style/assets.js';
import { buildAssets } from '../reader/style/bundle.js';

await buildAssets(assetsFolder);
