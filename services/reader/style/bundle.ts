import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFile } from '../../../shared/process/package-root.js';
import type { AssetManifest } from './assets.js';
import { fontFaceCss, fontFiles, isPreloaded } from './fonts.js';

/** The stylesheets, each a cascade layer of its name: a later one wins over those before, whatever their selectors. */
const sheets = ['tokens', 'base', 'layout', 'content', 'openapi', 'search', 'print'];
/** A customization sets its colors in the layer `theme`. */
const layers = ['tokens', 'theme', ...sheets.slice(1)];

const sheetFile = (name: string) => packageFile(`services/reader/style/css/${name}.css`);
const scriptFolder = packageFile('services/reader/browser');

const hashOf = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex').slice(0, 8);

/** All that the assets are made of, to know whether they must be made again. */
function inputsHash(): string {
  const hash = createHash('sha256');
  const scripts = readdirSync(scriptFolder, { recursive: true, encoding: 'utf8' }).sort();
  const sources = [
    ...sheets.map(sheetFile),
    ...scripts.filter((name) => /\.tsx?$|\.json$/.test(name)).map((name) => join(scriptFolder, name)),
  ];
  for (const path of sources) hash.update(`${path}\0`).update(readFileSync(path)).update('\0');
  for (const { name } of fontFiles()) hash.update(name);
  return hash.update(readFileSync(packageFile('node_modules/esbuild-wasm/package.json'))).digest('hex');
}

/** The common stylesheet before it is made small. */
function joinSheets(): string {
  const layered = sheets.map((name) => `@layer ${name}{\n${readFileSync(sheetFile(name), 'utf8')}\n}`);
  return [`@layer ${layers.join(',')};`, fontFaceCss(), ...layered].join('\n');
}

/** Whether a folder holds all files that were made of the same inputs. */
function isCurrent(folder: string, inputs: string): boolean {
  const file = join(folder, 'manifest.json');
  if (!existsSync(file)) return false;
  const { inputs: before, css, script, fonts } = JSON.parse(readFileSync(file, 'utf8')) as AssetManifest;
  const paths = [css, script, ...fonts.map((name) => join('fonts', name))];
  return before === inputs && paths.every((path) => existsSync(join(folder, path)));
}

/** The licences ask for it where icons and fonts are given on. */
const notice = '/* Icons: Font Awesome Free, CC BY 4.0. Fonts: Inter, JetBrains Mono, OFL 1.1. */';

/**
 * Writes the stylesheet, the script and the fonts of sites to a folder, under names with the hash of their content, and `manifest.json`,
 * which names them. Does nothing when the folder holds them already. Needs esbuild, so it is part of the build: as WebAssembly, since an
 * installation without optional packages, such as that of an image, lacks the program. Answers whether it wrote.
 */
export async function buildAssets(folder: string): Promise<boolean> {
  const inputs = inputsHash();
  if (isCurrent(folder, inputs)) return false;
  const { build, transform } = await import('esbuild-wasm');
  const [{ code: css }, { outputFiles }] = await Promise.all([
    transform(joinSheets(), { loader: 'css', minify: true, charset: 'utf8', legalComments: 'none', footer: notice }),
    build({
      entryPoints: [join(scriptFolder, 'reader.ts')],
      bundle: true,
      minify: true,
      write: false,
      format: 'iife',
      target: 'es2022',
      charset: 'utf8',
      legalComments: 'none',
    }),
  ]);
  const script = outputFiles[0]?.contents ?? new Uint8Array();
  const manifest: AssetManifest = {
    inputs,
    css: `reader-${hashOf(css)}.css`,
    script: `reader-${hashOf(script)}.js`,
    fonts: fontFiles().map(({ name }) => name),
    preload: fontFiles().flatMap(({ name }) => (isPreloaded(name) ? [name] : [])),
  };
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'fonts'), { recursive: true });
  writeFileSync(join(folder, manifest.css), css);
  writeFileSync(join(folder, manifest.script), script);
  for (const { name, path } of fontFiles()) copyFileSync(path, join(folder, 'fonts', name));
  // Last: a build that was cut short has no manifest, and is made again.
  writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return true;
}
