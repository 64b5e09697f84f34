import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

/** The families that ship with the product, upright in all weights, by the writing systems that a browser loads one by one. */
const families = [
  {
    name: 'inter',
    family: 'Inter Variable',
    weights: '100 900',
    subsets: ['cyrillic-ext', 'cyrillic', 'greek-ext', 'greek', 'vietnamese', 'latin-ext', 'latin'],
  },
  {
    name: 'jetbrains-mono',
    family: 'JetBrains Mono Variable',
    weights: '100 800',
    subsets: ['cyrillic-ext', 'cyrillic', 'greek', 'vietnamese', 'latin-ext', 'latin'],
  },
];

/** Arial with the metrics of Inter: text does not move when the font arrives. */
const fallbackFace =
  '@font-face{font-family:"Inter Fallback";src:local("Arial"),local("Liberation Sans");' +
  'ascent-override:90.49%;descent-override:22.56%;line-gap-override:0%;size-adjust:107.06%}';

export interface FontFile {
  /** With a hash of its content: `inter-latin-1a2b3c4d.woff2`. */
  name: string;
  /** Where it is on disk. */
  path: string;
}

interface Face extends FontFile {
  family: string;
  weights: string;
  /** The characters that it is loaded for, as `unicode-range`. */
  range: string;
}

let kept: Face[] | undefined;

function listFaces(): Face[] {
  kept ??= families.flatMap(({ name, family, weights, subsets }) => {
    const folder = dirname(require.resolve(`@fontsource-variable/${name}/package.json`));
    const ranges = JSON.parse(readFileSync(join(folder, 'unicode.json'), 'utf8')) as Record<string, string>;
    return subsets.map((subset) => {
      const path = join(folder, 'files', `${name}-${subset}-wght-normal.woff2`);
      const hash = createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 8);
      const range = ranges[subset] ?? '';
      return { name: `${name}-${subset}-${hash}.woff2`, path, family, weights, range };
    });
  });
  return kept;
}

/** The rules that load our fonts, from the folder `fonts/` beside the stylesheet. */
export function fontFaceCss(): string {
  const rules = listFaces().map(
    ({ name, family, weights, range }) =>
      `@font-face{font-family:"${family}";font-style:normal;font-weight:${weights};font-display:swap;` +
      `src:url("fonts/${name}") format("woff2");unicode-range:${range}}`,
  );
  return [fallbackFace, ...rules].join('\n');
}

export const fontFiles = (): FontFile[] => listFaces().map(({ name, path }) => ({ name, path }));

/** The font that text in Latin letters needs at once. */
export const isPreloaded = (name: string): boolean => /^inter-latin-[0-9a-f]{8}\.woff2$/.test(name);
