import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

function findRootFrom(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findRootFrom(dirname(folder));
}

const root = findRootFrom(dirname(fileURLToPath(import.meta.url)));

/** The path of a file that ships with the product; works from the sources and from the build. */
export const packageFile = (name: string): string => join(root, name);
