import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Branch, workOnBranch } from './branch.js';
import { author, changed, file, servedBranches } from './testing/branches.js';
import { git } from './testing/repositories.js';

const { room, root, makeRepository, optionsFor, pushed, served, inRepository } = servedBranches();

const seen = ({ tip, parent, tree: { files } }: Branch) => ({
  tip: tip?.oid,
  parent: parent?.oid,
  files: [...files.keys()],
});

describe('a commit', () => {
  test('on a branch has the tip as its parent, and differs from it in what was changed', async () => {
    const first = makeRepository('existing', { 'a.md': 'a', 'b.md': 'b', 'c/d.md': 'd' });
    const tip = git(first.work, 'rev-parse', 'HEAD').trim();
    const oid = await pushed('existing', { 'b.md': null, 'c/d.md': file('other'), 'e/f.md': file('f') });
    expect(served('existing', 'log', '-1', '--format=%H %P|%an <%ae>|%cn <%ce>|%B', 'main')).toBe(
      `${oid} ${tip}|${author}|${author}|Say more\n\nMuch more.`,
    );
    expect(served('existing', 'diff', '--no-renames', '--name-status', tip, 'main').split('\n')).toEqual([
      'D\tb.md',
      'M\tc/d.md',
      'A\te/f.md',
    ]);
    expect(served('existing', 'fsck', '--strict')).toBe('');
  });

  test('on a branch that is missing begins at the first commit that the repository knows', async () => {
    const { commit } = makeRepository('missing', { 'a.md': 'a' });
    const known = commit({ 'a.md': 'b' });
    const head = commit({ 'a.md': 'c' });
    served('missing', 'config', 'uploadpack.allowAnySHA1InWant', 'true');
    const beginnings = ['0123456789012345678901234567890123456789', known];
    const ref = 'refs/heads/new/branch';
    const opened = await workOnBranch(optionsFor('missing', { ref, beginnings }), async (branch) => seen(branch));
    expect(opened).toEqual({ tip: undefined, parent: known, files: ['a.md'] });
    await pushed('missing', { 'x.md': file('x') }, { ref, beginnings });
    expect(served('missing', 'rev-parse', 'new/branch~1')).toBe(known);
    expect(served('missing', 'rev-parse', 'main')).toBe(head);
  });

  test('on a branch that is missing begins at the default branch otherwise', async () => {
    const { commit } = makeRepository('default', { 'a.md': 'a' });
    const head = commit({ 'a.md': 'b' });
    const beginnings = ['0123456789012345678901234567890123456789'];
    await pushed('default', { 'x.md': file('x') }, { ref: 'refs/heads/new', beginnings });
    expect(served('default', 'rev-parse', 'new~1')).toBe(head);
    expect(inRepository('default', 'new')).toEqual(['100644 a.md', '100644 x.md']);
  });

  test('on a branch that was deleted begins at the commit that it was at, with its history', async () => {
    makeRepository('deleted', { 'a.md': 'a' });
    const ref = 'refs/heads/new';
    const first = await pushed('deleted', { 'b.md': file('b') }, { ref });
    served('deleted', 'update-ref', '-d', ref);
    const second = await pushed('deleted', { 'c.md': file('c') }, { ref, beginnings: [first] });
    expect(served('deleted', 'log', '--format=%H', 'new').split('\n').slice(0, 2)).toEqual([second, first]);
    expect(served('deleted', 'rev-list', '--count', 'new')).toBe('3');
    served('deleted', 'update-ref', '-d', ref);
    await workOnBranch(optionsFor('deleted', { ref, beginnings: [second] }), (branch) => branch.push(second));
    expect(served('deleted', 'rev-parse', 'new')).toBe(second);
  });

  test('in an empty repository has no parent', async () => {
    git(room, 'init', '--quiet', '--bare', join(root, 'empty.git'));
    const opened = await workOnBranch(optionsFor('empty'), async (branch) => seen(branch));
    expect(opened).toEqual({ tip: undefined, parent: undefined, files: [] });
    const oid = await pushed('empty', { 'README.md': file('# Home\n') });
    expect(served('empty', 'log', '--format=%H%P', 'main')).toBe(oid);
    expect(inRepository('empty')).toEqual(['100644 README.md']);
  });

  test('that was made only for a look is on no branch', async () => {
    makeRepository('looked', { 'a.md': 'a' });
    const before = served('looked', 'rev-parse', 'main');
    await workOnBranch(optionsFor('looked'), (branch) => branch.commit(changed({ 'b.md': file('b') })));
    expect(served('looked', 'for-each-ref', '--format=%(objectname)')).toBe(before);
  });

  test('keeps the modes that it is given, and symbolic links that it does not touch', async () => {
    const { work, commit } = makeRepository('modes', { 'run.md': 'a', 'real.md': 'b' });
    chmodSync(join(work, 'run.md'), 0o755);
    symlinkSync('real.md', join(work, 'link.md'));
    commit({});
    const files = await workOnBranch(optionsFor('modes'), async (branch) => {
      const found = [...branch.tree.files.values()].map(({ path, at, mode }) => [path, at, mode]);
      await branch.push(await branch.commit(changed({ 'run.md': file('c', '100755'), 'real.md': file('d') })));
      return found;
    });
    expect(files).toEqual([
      ['link.md', 'real.md', '100644'],
      ['real.md', 'real.md', '100644'],
      ['run.md', 'run.md', '100755'],
    ]);
    expect(inRepository('modes')).toEqual(['120000 link.md', '100644 real.md', '100755 run.md']);
  });

  test('writes, changes and removes files of any name, with any bytes', async () => {
    makeRepository('paths', { 'a.md': 'a' });
    const names = [
      '-dash.md',
      '--output=x',
      ' space .md',
      'quo"te\'s.md',
      'back\\slash.md',
      'new\nline.md',
      'tab\tcr\r.md',
      'bell\x07.md',
      '頁/ü/😀.md',
      'nfd-u\u0308.md',
      'mark 1 from :1',
      '{a,b}*?[c].md',
    ];
    const bytes = Buffer.from([0, 10, 255, 13, 10, 0x64, 0x61, 0x74, 0x61, 0x20, 0x33, 10]);
    await pushed('paths', Object.fromEntries(names.map((name) => [name, file(bytes)])));
    expect(inRepository('paths').sort()).toEqual(['a.md', ...names].map((name) => `100644 ${name}`).sort());
    const oids = served('paths', 'ls-tree', '-r', '--format=%(objectname)', 'main').split('\n');
    expect(new Set(oids).size).toBe(2);
    const read = await workOnBranch(optionsFor('paths'), async ({ tree }) => [...tree.files.keys()]);
    expect(read.sort()).toEqual(['a.md', ...names].sort());
    await pushed('paths', Object.fromEntries(names.map((name) => [name, null])));
    expect(inRepository('paths')).toEqual(['100644 a.md']);
  });

  test('keeps the bytes of names that are no UTF-8', async () => {
    const { work } = makeRepository('raw', { 'a.md': 'a' });
    const raw = (name: string) => Buffer.concat([Buffer.from(`${work}/`), Buffer.from(name, 'latin1')]);
    mkdirSync(raw('b\xfc'));
    for (const name of ['\xfcber.md', 'b\xfc/a.md', 'b\xfc/gone.md']) writeFileSync(raw(name), name, 'latin1');
    git(work, 'add', '--all');
    git(work, 'commit', '--quiet', '-m', 'raw');
    git(work, 'push', '--quiet', join(root, 'raw.git'), 'HEAD:refs/heads/main');
    const read = await workOnBranch(optionsFor('raw'), async ({ tree }) => [...tree.files.keys()]);
    expect(read.sort()).toEqual(['%FCber.md', 'a.md', 'b%FC/a.md', 'b%FC/gone.md']);
    await pushed('raw', { '%FCber.md': file('new'), 'b%FC/c.md': file('c'), 'b%FC/gone.md': null });
    expect(served('raw', '-c', 'core.quotePath=true', 'ls-tree', '-r', '--name-only', 'main').split('\n')).toEqual([
      'a.md',
      '"b\\374/a.md"',
      '"b\\374/c.md"',
      '"\\374ber.md"',
    ]);
    expect(
      served('raw', 'diff', '--name-status', '-z', 'HEAD~1', 'HEAD')
        .split('\0')
        .filter((each) => /^[AMD]$/.test(each)),
    ).toEqual(['A', 'D', 'M']);
  });

  test('takes any text as its message', async () => {
    makeRepository('messages', { 'a.md': 'a' });
    const message = 'data 5\nfrom :1\n"quoted" \\ done\n\n# not a remark\n頁';
    await workOnBranch(optionsFor('messages'), async (branch) => {
      const oid = await branch.commit({ ...changed({ 'b.md': file('b') }), message });
      await branch.push(oid);
    });
    expect(served('messages', 'log', '-1', '--format=%B', 'main')).toBe(message);
  });

  test('of many files with many bytes is one commit', async () => {
    makeRepository('large', { 'a.md': 'a' });
    const large = Buffer.alloc(3_000_000, 'x');
    const many = Array.from({ length: 300 }, (_, at) => [`many/${at % 7}/${at}.md`, file(`${at}`)] as const);
    await pushed('large', { ...Object.fromEntries(many), 'large.bin': file(large) });
    expect(inRepository('large')).toHaveLength(302);
    expect(served('large', 'cat-file', '-s', 'main:large.bin')).toBe('3000000');
  });
});

describe('a branch', () => {
  test('holds its tip and the commits below, and no others', async () => {
    const { work, commit } = makeRepository('holding', { 'a.md': 'a' });
    const ours = await pushed('holding', { 'b.md': file('b') });
    git(work, 'pull', '--quiet', join(root, 'holding.git'), 'main');
    for (let at = 0; at < 5; at++) commit({ 'c.md': `${at}` });
    const answers = await workOnBranch(optionsFor('holding'), async (branch) => {
      const made = await branch.commit(changed({ 'd.md': file('d') }));
      const held: boolean[] = [];
      for (const each of [ours, branch.tip?.oid ?? '', made, '0123456789012345678901234567890123456789'])
        held.push(await branch.holds(each));
      return held;
    });
    expect(answers).toEqual([true, true, false, false]);
    const missing = optionsFor('holding', { ref: 'refs/heads/new' });
    expect(await workOnBranch(missing, (branch) => branch.holds(ours))).toBe(false);
  });
});
