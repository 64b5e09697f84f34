import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { makeFolder } from './start-process.js';

let common: string;
let own: string;
beforeEach(() => {
  common = mkdtempSync(join(tmpdir(), 'bf-'));
  own = mkdtempSync(join(tmpdir(), 'bo-'));
});
afterEach(() => {
  for (const folder of [common, own]) rmSync(folder, { recursive: true });
});

describe('the folder of a process', () => {
  it('has its files, and is gone with them', async () => {
    const folder = await makeFolder(common);
    await folder.write({ 'script.mjs': 'text', 'config.capnp': 'other' });
    expect(readdirSync(folder.path).sort()).toEqual(['config.capnp', 'script.mjs']);
    expect(readFileSync(join(folder.path, 'script.mjs'), 'utf8')).toBe('text');
    writeFileSync(join(folder.path, 's'), '');
    await folder.remove();
    expect(readdirSync(common)).toEqual([]);
  });

  it('follows no link that somebody put into it', async () => {
    const folder = await makeFolder(common);
    const target = join(own, 'data');
    writeFileSync(target, 'of the service');
    symlinkSync(target, join(folder.path, 'script.mjs'));
    symlinkSync(join(own, 'new'), join(folder.path, 'main.mjs'));
    for (const name of ['script.mjs', 'main.mjs'])
      await expect(folder.write({ [name]: 'of a stranger' })).rejects.toMatchObject({ code: 'EEXIST' });
    await folder.remove();
    expect([readdirSync(own), readFileSync(target, 'utf8')]).toEqual([['data'], 'of the service']);
  });

  it('follows no link that somebody put in its place', async () => {
    const folder = await makeFolder(common);
    const moved = join(common, 'moved');
    renameSync(folder.path, moved);
    symlinkSync(own, folder.path);
    writeFileSync(join(own, 's'), 'of the service');
    await folder.write({ 'script.mjs': 'of a stranger' });
    expect([readdirSync(own), readdirSync(moved)]).toEqual([['s'], ['script.mjs']]);
    writeFileSync(join(own, 'script.mjs'), 'of the service');
    await folder.remove();
    expect([readdirSync(own).sort(), readdirSync(moved)]).toEqual([['s', 'script.mjs'], []]);
  });

  it('stays, with what is not of it', async () => {
    const folder = await makeFolder(common);
    symlinkSync(own, join(folder.path, 'link'));
    writeFileSync(join(own, 'data'), '');
    await folder.remove();
    expect([readdirSync(common), existsSync(join(own, 'data'))]).toEqual([[basename(folder.path)], true]);
  });
});
