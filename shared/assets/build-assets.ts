import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFile } from '../process/package-root.js';
import { fontFaceCss, fontFiles, isPreloaded } from './fonts.js';
import type { AssetManifest } from './open-assets.js';

/** The files that a part of the product gives to browsers, by where they are made of. Paths are relative to the package. */
export interface AssetSources {
  /** The first part of the name of the stylesheet. */
  name: string;
  /** The stylesheets, each a cascade layer: a later one wins over those before, whatever their selectors. */
  sheets: { layer: string; path: string }[];
  /** The layers in their order, where there are others than those of `sheets`. */
  layers?: string[];
  /** The entries of scripts, by the first part of their names. */
  scripts: Record<string, string>;
  /** Folders with all of our own that scripts are made of. */
  scriptFolders: string[];
}

const hashOf = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex').slice(0, 8);

const sourcesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$|\.json$/.test(name))
    .sort()
    .map((name) => join(folder, name));

/** All that the assets are made of, to know whether they must be made again. */
function inputsHash({ sheets, scriptFolders, ...others }: AssetSources): string {
  const hash = createHash('sha256').update(JSON.stringify([sheets, others]));
  const scripts = scriptFolders.flatMap((folder) => sourcesIn(packageFile(folder)));
  for (const path of [...sheets.map((sheet) => packageFile(sheet.path)), ...scripts])
    hash.update(`${path}\0`).update(readFileSync(path)).update('\0');
  for (const { name } of fontFiles()) hash.update(name);
  for (const file of ['node_modules/esbuild-wasm/package.json', 'package-lock.json'])
    if (existsSync(packageFile(file))) hash.update(readFileSync(packageFile(file)));
  return hash.digest('hex');
}

/** The stylesheet before it is made small. */
function joinSheets({ sheets, layers = sheets.map(({ layer }) => layer) }: AssetSources): string {
  const layered = sheets.map(({ layer, path }) => `@layer ${layer}{\n${readFileSync(packageFile(path), 'utf8')}\n}`);
  return [`@layer ${layers.join(',')};`, fontFaceCss(), ...layered].join('\n');
}

/** Whether a folder holds all files that were made of the same inputs. */
function isCurrent(folder: string, inputs: string): boolean {
  const file = join(folder, 'manifest.json');
  if (!existsSync(file)) return false;
  const { inputs: before, css, scripts, fonts } = JSON.parse(readFileSync(file, 'utf8')) as AssetManifest;
  const paths = [css, ...Object.values(scripts ?? {}), ...fonts.map((name) => join('fonts', name))];
  return before === inputs && paths.every((path) => existsSync(join(folder, path)));
}

/** The licences ask for it where icons and fonts are given on. */
const notice = '/* Icons: Font Awesome Free, CC BY 4.0. Fonts: Inter, JetBrains Mono, OFL 1.1. */';

/**
 * Writes a stylesheet, scripts and the fonts to a folder, under names with the hash of their content, and `manifest.json`, which names them. Does
 * nothing when the folder holds them already. Needs esbuild, so it is part of the build: as WebAssembly, since an installation without optional
 * packages, such as that of an image, lacks the program. Answers whether it wrote.
 */
export async function buildAssets(folder: string, sources: AssetSources): Promise<boolean> {
  const inputs = inputsHash(sources);
  if (isCurrent(folder, inputs)) return false;
  const { build, transform } = await import('esbuild-wasm');
  const bundled = Object.entries(sources.scripts).map(async ([name, entry]): Promise<[string, Uint8Array]> => {
    const { outputFiles } = await build({
      entryPoints: [packageFile(entry)],
      bundle: true,
      minify: true,
      write: false,
      format: 'iife',
      target: 'es2022',
      charset: 'utf8',
      legalComments: 'none',
    });
    return [name, outputFiles[0]?.contents ?? new Uint8Array()];
  });
  const [{ code: css }, ...scripts] = await Promise.all([
    transform(joinSheets(sources), {
      loader: 'css',
      minify: true,
      charset: 'utf8',
      legalComments: 'none',
      footer: notice,
    }),
    ...bundled,
  ]);
  const manifest: AssetManifest = {
    inputs,
    css: `${sources.name}-${hashOf(css)}.css`,
    scripts: Object.fromEntries(scripts.map(([name, content]) => [name, `${name}-${hashOf(content)}.js`])),
    fonts: fontFiles().map(({ name }) => name),
    preload: fontFiles().flatMap(({ name }) => (isPreloaded(name) ? [name] : [])),
  };
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'fonts'), { recursive: true });
  writeFileSync(join(folder, manifest.css), css);
  for (const [name, content] of scripts) writeFileSync(join(folder, manifest.scripts[name] as string), content);
  for (const { name, path } of fontFiles()) copyFileSync(path, join(folder, 'fonts', name));
  // Last: a build that was cut short has no manifest, and is made again.
  writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return true;
}
