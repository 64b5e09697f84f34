import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFolderTree } from './source-tree.js';

const dir = mkdtempSync(join(tmpdir(), 'bindery-folder-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test('a folder is a source tree of its plain files, with the hashes git gives them', async () => {
  for (const folder of ['.git', 'node_modules/x', 'docs/node_modules', 'docs/deep'])
    mkdirSync(join(dir, folder), { recursive: true });
  const texts = { 'README.md': '# Hi', 'docs/deep/ü.md': 'é', 'docs/empty.md': '', '.gitbook.yaml': 'root: ./docs\n' };
  for (const [path, text] of Object.entries(texts)) writeFileSync(join(dir, path), text);
  for (const path of ['.git/HEAD', 'node_modules/x/a.md', 'docs/node_modules/b.md'])
    writeFileSync(join(dir, path), 'no');
  symlinkSync('/etc/passwd', join(dir, 'docs/passwd.md'));
  symlinkSync('/etc', join(dir, 'etc'));

  const tree = await openFolderTree(dir);
  expect(tree.files.map((file) => file.path)).toEqual([
    '.gitbook.yaml',
    'README.md',
    'docs/deep/ü.md',
    'docs/empty.md',
  ]);
  for (const { path, oid, size } of tree.files) {
    expect(execFileSync('git', ['hash-object', '--no-filters', path], { cwd: dir, encoding: 'utf8' }).trim()).toBe(oid);
    expect(await tree.read(path)).toHaveLength(size);
  }
  await expect(tree.read('docs/passwd.md')).rejects.toThrow('not in the tree');
  await expect(tree.read('../../etc/passwd')).rejects.toThrow('not in the tree');
  await tree.close();
});
