import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { blobOid } from '../../format/space/blob-oid.js';
import { git, servedRepositories } from './testing/repositories.js';

const { root, servers, makeRepository, newCache, fetched, failure } = servedRepositories();

describe('fetchTree', () => {
  test('lists and reads the files of the branch tip, with the commit', async () => {
    const big = Buffer.alloc(300_000, 'x\0y\n');
    const { commit } = makeRepository('plain', {
      'README.md': '# Hi\n',
      'a/empty.md': '',
      'a/ü 頁.md': 'é',
      'a/big.bin': big,
    });
    const oid = commit({ 'b.md': 'b' }, 'subject\n\nbody line');
    const tree = await fetched({ url: `${servers.open.url}/plain.git` });
    expect(tree.commit).toEqual({
      oid,
      message: 'subject\n\nbody line',
      committedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(tree.files.map((file) => file.path)).toEqual(['README.md', 'a/big.bin', 'a/empty.md', 'a/ü 頁.md', 'b.md']);
    expect(tree.files.find((file) => file.path === 'a/big.bin')).toMatchObject({
      path: 'a/big.bin',
      oid: blobOid(big),
      size: big.length,
    });
    const read = await Promise.all(tree.files.map((file) => tree.read(file.path)));
    expect(read.map(blobOid)).toEqual(tree.files.map((file) => file.oid));
    expect(read[1]?.equals(big)).toBe(true);
    await expect(tree.read('nothing.md')).rejects.toThrow('not in the tree');
  });

  test('reads again from the same cache after a new commit, fetching only what is new', async () => {
    const noise = Buffer.from(Array.from({ length: 400_000 }, (_, i) => (i * 7919 * (i % 251)) % 256));
    const { commit } = makeRepository('again', { 'noise.bin': noise, 'page.md': 'one' });
    const cacheDir = newCache();
    const first = await fetched({ url: `${servers.open.url}/again.git`, cacheDir });
    commit({ 'page.md': 'two' });
    // The whole repository no longer fits in the limit; what is new does.
    const second = await fetched({ url: `${servers.open.url}/again.git`, cacheDir, maxBytes: 20_000 });
    expect((await second.read('page.md')).toString()).toBe('two');
    expect((await second.read('noise.bin')).equals(noise)).toBe(true);
    expect((await first.read('page.md')).toString()).toBe('one');
  });

  test('follows a branch that was rewritten', async () => {
    const { work, commit } = makeRepository('rewritten', { 'a.md': 'one' });
    const cacheDir = newCache();
    await fetched({ url: `${servers.open.url}/rewritten.git`, cacheDir });
    git(work, 'checkout', '--quiet', '--orphan', 'other');
    const oid = commit({ 'a.md': 'another history' });
    const tree = await fetched({ url: `${servers.open.url}/rewritten.git`, cacheDir });
    expect(tree.commit?.oid).toBe(oid);
  });

  test('takes many fetches of one cache at once', async () => {
    makeRepository('busy', { 'a.md': 'a', 'b.md': 'b' });
    const cacheDir = newCache();
    const trees = await Promise.all(
      Array.from({ length: 6 }, () => fetched({ url: `${servers.open.url}/busy.git`, cacheDir })),
    );
    const texts = await Promise.all(trees.map(async (tree) => (await tree.read('b.md')).toString()));
    expect(texts).toEqual(Array(6).fill('b'));
    expect(readdirSync(cacheDir)).toHaveLength(2);
  });

  test('throws a damaged cache away and fetches anew', async () => {
    const { commit } = makeRepository('damaged', { 'a.md': 'a'.repeat(5000), 'b.md': 'b' });
    const cacheDir = newCache();
    const url = `${servers.open.url}/damaged.git`;
    const damage = [
      (dir: string) =>
        truncateSync(
          join(
            dir,
            'objects/pack',
            readdirSync(join(dir, 'objects/pack')).find((name) => name.endsWith('.pack')) ?? '',
          ),
          40,
        ),
      (dir: string) => rmSync(join(dir, 'objects'), { recursive: true }),
      (dir: string) => rmSync(join(dir, 'objects/pack'), { recursive: true }),
      (dir: string) => writeFileSync(join(dir, 'config'), '[core\n'),
      (dir: string) => writeFileSync(join(dir, 'HEAD'), ''),
      (dir: string) => writeFileSync(join(dir, 'shallow.lock'), ''),
      (dir: string) => writeFileSync(join(dir, 'shallow'), 'nonsense'),
      (dir: string) =>
        writeFileSync(join(dir, 'refs/fetched', readdirSync(join(dir, 'refs/fetched'))[0] ?? ''), '0'.repeat(39)),
    ];
    for (const [index, harm] of damage.entries()) {
      const tree = await fetched({ url, cacheDir });
      await tree.close();
      harm(join(cacheDir, readdirSync(cacheDir).find((name) => name !== 'home') ?? ''));
      const text = `after damage ${index}`;
      commit({ 'b.md': text });
      const healed = await fetched({ url, cacheDir }).then(async (again) => (await again.read('b.md')).toString());
      expect(healed).toBe(text);
    }
  });

  test('a cache id keeps clones apart, and never joins two addresses', async () => {
    makeRepository('one', { 'a.md': 'a' });
    makeRepository('two', { 'a.md': 'a' });
    const cacheDir = newCache();
    await fetched({ url: `${servers.open.url}/one.git`, cacheDir, cacheId: 'x' });
    await fetched({ url: `${servers.open.url}/one.git`, cacheDir, cacheId: 'y' });
    await fetched({ url: `${servers.open.url}/two.git`, cacheDir, cacheId: 'x' });
    expect(readdirSync(cacheDir).filter((name) => name !== 'home')).toHaveLength(3);
  });

  test('drops the longest unused clones when the cache is full', async () => {
    makeRepository('old', { 'a.md': 'a' });
    makeRepository('new', { 'a.md': 'a' });
    const cacheDir = newCache();
    const held = await fetched({ url: `${servers.open.url}/old.git`, cacheDir, cacheMaxBytes: 1 });
    const other = await fetched({ url: `${servers.open.url}/new.git`, cacheDir, cacheMaxBytes: 1 });
    expect(readdirSync(cacheDir)).toHaveLength(3);
    await held.close();
    await other.close();
    await fetched({ url: `${servers.open.url}/new.git`, cacheDir, cacheMaxBytes: 1 });
    expect(readdirSync(cacheDir)).toHaveLength(2);
  });

  test('a symbolic link is listed as a file of the tree, and never leads out of it', async () => {
    const { work, commit } = makeRepository('links', { 'docs/page.md': 'page', 'top.md': 'top' });
    symlinkSync('../top.md', join(work, 'docs/up.md'));
    symlinkSync('up.md', join(work, 'docs/twice.md'));
    symlinkSync('/etc/passwd', join(work, 'docs/absolute.md'));
    symlinkSync('../../../../etc/passwd', join(work, 'docs/escape.md'));
    symlinkSync('docs', join(work, 'folder'));
    symlinkSync('loop-b', join(work, 'loop-a'));
    symlinkSync('loop-a', join(work, 'loop-b'));
    commit({});
    const tree = await fetched({ url: `${servers.open.url}/links.git` });
    expect(tree.files.map((file) => file.path)).toEqual(['docs/page.md', 'docs/twice.md', 'docs/up.md', 'top.md']);
    expect((await tree.read('docs/twice.md')).toString()).toBe('top');
    const part = await fetched({ url: `${servers.open.url}/links.git`, within: './docs/' });
    expect(part.files.map((file) => file.path)).toEqual(['docs/page.md', 'docs/twice.md', 'docs/up.md']);
  });

  test('leaves submodules out', async () => {
    const { work } = makeRepository('modules', { 'a.md': 'a' });
    git(work, 'update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},sub`);
    git(work, 'commit', '--quiet', '-m', 'with a submodule');
    git(work, 'push', '--quiet', join(root, 'modules.git'), 'HEAD:refs/heads/main');
    const tree = await fetched({ url: `${servers.open.url}/modules.git` });
    expect(tree.files.map((file) => file.path)).toEqual(['a.md']);
  });

  test('names the file that is too large, unless it lies outside the folder asked for', async () => {
    makeRepository('large', { 'docs/a.md': 'a', 'media/film.bin': 'x'.repeat(3000) });
    const url = `${servers.open.url}/large.git`;
    const refused = await failure({ url, maxFileBytes: 2000 });
    expect(refused).toMatchObject({ reason: 'too-large', message: expect.stringContaining('media/film.bin') });
    expect((await fetched({ url, maxFileBytes: 2000, within: 'docs' })).files).toHaveLength(1);
  });

  test('refuses more files than allowed, also from trees nested in each other many times', async () => {
    const { work } = makeRepository('bomb', { 'a.md': 'a' });
    let tree = git(work, 'rev-parse', 'HEAD^{tree}').trim();
    for (let level = 0; level < 9; level++) {
      const entries = Array.from({ length: 10 }, (_, i) => `040000 tree ${tree}\td${i}`).join('\n');
      tree = execFileSync('git', ['mktree'], { cwd: work, input: `${entries}\n`, encoding: 'utf8' }).trim();
    }
    const commit = git(work, 'commit-tree', tree, '-m', 'a bomb').trim();
    git(work, 'push', '--quiet', '--force', join(root, 'bomb.git'), `${commit}:refs/heads/main`);
    expect(await failure({ url: `${servers.open.url}/bomb.git` })).toMatchObject({ reason: 'too-large' });
  });

  test('reports progress', async () => {
    makeRepository('progress', { 'a.md': 'a', 'b.md': 'b' });
    const seen: string[] = [];
    await fetched({
      url: `${servers.open.url}/progress.git`,
      onProgress: ({ stage, done, total }) => seen.push(`${stage} ${done}/${total}`),
    });
    expect(seen).toContain('receiving 4/4');
  });
});
