import { readFileSync } from 'node:fs';
import { packageFile } from './package-root.js';

/** The version of this release, from package.json. */
export const version: string = (JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string })
  .version;
