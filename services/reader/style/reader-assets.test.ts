import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { buildAssets } from '../../../shared/assets/build-assets.js';
import { openAssets } from '../../../shared/assets/open-assets.js';
import { readerScript, readerSources } from './reader-assets.js';

const folder = mkdtempSync(join(tmpdir(), 'reader-assets-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('says what to do when there was no build', () => {
  expect(() => openAssets(join(folder, 'nowhere'))).toThrow('run npm run build');
});

describe('the assets of a build', () => {
  beforeAll(() => buildAssets(folder, readerSources));

  it('are small', () => {
    const assets = openAssets(folder);
    const [css, script] = [assets.css, readerScript(assets)];
    expect(brotliCompressSync(css.bytes).length).toBeLessThanOrEqual(20 * 1024);
    expect(brotliCompressSync(script.bytes).length).toBeLessThanOrEqual(10 * 1024);
  });

  it('have names that change with their content', () => {
    const assets = openAssets(folder);
    const [css, script] = [assets.css, readerScript(assets)];
    expect(css.path).toBe(`reader-${css.hash}.css`);
    expect(script.path).toBe(`reader-${script.hash}.js`);
  });

  it('hold every font that the stylesheet names, and ask nobody else', () => {
    const assets = openAssets(folder);
    const named = [...assets.css.bytes.toString().matchAll(/url\(([^)]*)\)/g)].map(([, url = '']) =>
      url.replace(/["']/g, ''),
    );
    const fonts = named.filter((url) => !url.startsWith('data:'));
    expect(fonts.length).toBeGreaterThan(10);
    for (const url of fonts) {
      expect(url).toMatch(/^fonts\/[\w-]+\.woff2$/);
      expect(assets.font(url.slice('fonts/'.length))?.bytes.subarray(0, 4).toString()).toBe('wOF2');
    }
    expect(assets.preload.map((path) => assets.font(path.slice('fonts/'.length))?.contentType)).toEqual(['font/woff2']);
  });

  it('are no other file of the disk', () => {
    const { font } = openAssets(folder);
    for (const name of ['../manifest.json', 'manifest.json', '__proto__', '', '/etc/passwd'])
      expect(font(name)).toBeNull();
  });

  it('put the layer of a theme over the defaults, below everything else', () => {
    expect(openAssets(folder).css.bytes.toString()).toMatch(/^@layer tokens,theme,base,/);
  });

  it('are made once for the same sources, and again when a file is missing', async () => {
    expect(await buildAssets(folder, readerSources)).toBe(false);
    const { css } = openAssets(folder);
    rmSync(join(folder, css.path));
    expect(await buildAssets(folder, readerSources)).toBe(true);
    expect(existsSync(join(folder, css.path))).toBe(true);
    expect(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')).css).toBe(css.path);
  });
});
