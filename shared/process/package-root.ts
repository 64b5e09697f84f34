import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

function rootFrom(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : rootFrom(dirname(folder));
}

const root = rootFrom(dirname(fileURLToPath(import.meta.url)));

/** The path of a file that ships with the product; works from the sources and from the build. */
export const packageFile = (name: string): string => join(root, name);
