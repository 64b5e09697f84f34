import { chmodSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { type Branch, type BranchOptions, type FileChange, onBranch } from './branch.js';
import type { GitFailure } from './command/failure.js';
import { serveRepositories } from './serve.js';
import { credentials, git, processesOf, servedRepositories } from './testing/repositories.js';

const { room, root, servers, makeRepository, newCache } = servedRepositories();

const author = 'Grace Höpper <grace@example.com>';
const file = (text: string | Buffer, mode = '100644'): FileChange => ({ mode, read: async () => Buffer.from(text) });
const changed = (changes: Record<string, FileChange>) => ({
  author,
  message: 'Say more\n\nMuch more.',
  changes: new Map(Object.entries(changes)),
});

const optionsFor = (name: string, options: Partial<BranchOptions> = {}): BranchOptions => ({
  url: `${servers.open.url}/${name}.git`,
  ref: 'refs/heads/main',
  beginnings: [],
  proxy: servers.proxy,
  cacheDir: newCache(),
  timeoutMs: 20_000,
  ...options,
});
const failureOf = (work: Promise<unknown>): Promise<GitFailure> =>
  work.then(
    () => {
      throw new Error('it succeeded');
    },
    (error: GitFailure) => error,
  );
/** Commits and pushes; the hash of the commit. */
const pushed = (name: string, changes: Record<string, FileChange>, options: Partial<BranchOptions> = {}) =>
  onBranch(optionsFor(name, options), async (branch) => {
    const oid = await branch.commit(changed(changes));
    await branch.push(oid);
    return oid;
  });
const served = (name: string, ...args: string[]) => git(join(root, `${name}.git`), ...args).trimEnd();
const inRepository = (name: string, at = 'main') =>
  served(name, 'ls-tree', '-r', '-z', at)
    .split('\0')
    .filter(Boolean)
    .map((line) => line.replace(/ blob \w+\t/, ' '));
const hook = (name: string, which: string, script: string) => {
  const path = join(root, `${name}.git`, 'hooks', which);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
};
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
    const opened = await onBranch(optionsFor('missing', { ref, beginnings }), async (branch) => seen(branch));
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
    await onBranch(optionsFor('deleted', { ref, beginnings: [second] }), (branch) => branch.push(second));
    expect(served('deleted', 'rev-parse', 'new')).toBe(second);
  });

  test('in an empty repository has no parent', async () => {
    git(room, 'init', '--quiet', '--bare', join(root, 'empty.git'));
    const opened = await onBranch(optionsFor('empty'), async (branch) => seen(branch));
    expect(opened).toEqual({ tip: undefined, parent: undefined, files: [] });
    const oid = await pushed('empty', { 'README.md': file('# Home\n') });
    expect(served('empty', 'log', '--format=%H%P', 'main')).toBe(oid);
    expect(inRepository('empty')).toEqual(['100644 README.md']);
  });

  test('that was made only for a look is on no branch', async () => {
    makeRepository('looked', { 'a.md': 'a' });
    const before = served('looked', 'rev-parse', 'main');
    await onBranch(optionsFor('looked'), (branch) => branch.commit(changed({ 'b.md': file('b') })));
    expect(served('looked', 'for-each-ref', '--format=%(objectname)')).toBe(before);
  });

  test('keeps the modes that it is given, and symbolic links that it does not touch', async () => {
    const { work, commit } = makeRepository('modes', { 'run.md': 'a', 'real.md': 'b' });
    chmodSync(join(work, 'run.md'), 0o755);
    symlinkSync('real.md', join(work, 'link.md'));
    commit({});
    const files = await onBranch(optionsFor('modes'), async (branch) => {
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
    const read = await onBranch(optionsFor('paths'), async ({ tree }) => [...tree.files.keys()]);
    expect(read.sort()).toEqual(['a.md', ...names].sort());
    await pushed('paths', Object.fromEntries(names.map((name) => [name, null])));
    expect(inRepository('paths')).toEqual(['100644 a.md']);
  });

  test('takes any text as its message', async () => {
    makeRepository('messages', { 'a.md': 'a' });
    const message = 'data 5\nfrom :1\n"quoted" \\ done\n\n# not a remark\n頁';
    await onBranch(optionsFor('messages'), async (branch) => {
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
    const answers = await onBranch(optionsFor('holding'), async (branch) => {
      const made = await branch.commit(changed({ 'd.md': file('d') }));
      const held: boolean[] = [];
      for (const each of [ours, branch.tip?.oid ?? '', made, '0123456789012345678901234567890123456789'])
        held.push(await branch.holds(each));
      return held;
    });
    expect(answers).toEqual([true, true, false, false]);
    const missing = optionsFor('holding', { ref: 'refs/heads/new' });
    expect(await onBranch(missing, (branch) => branch.holds(ours))).toBe(false);
  });
});

describe('a push', () => {
  test('to a branch that has moved fails as `moved` and leaves it', async () => {
    const { commit } = makeRepository('moved', { 'a.md': 'a' });
    let theirs = '';
    const failure = await failureOf(
      onBranch(optionsFor('moved'), async (branch) => {
        const oid = await branch.commit(changed({ 'b.md': file('b') }));
        theirs = commit({ 'c.md': 'c' });
        await branch.push(oid);
      }),
    );
    expect(failure).toMatchObject({ reason: 'moved' });
    expect(served('moved', 'rev-parse', 'main')).toBe(theirs);
  });

  test('to a branch that somebody else made meanwhile fails as `moved`', async () => {
    makeRepository('made', { 'a.md': 'a' });
    const failure = await failureOf(
      onBranch(optionsFor('made', { ref: 'refs/heads/new' }), async (branch) => {
        const oid = await branch.commit(changed({ 'b.md': file('b') }));
        await pushed('made', { 'c.md': file('c') }, { ref: 'refs/heads/new' });
        await branch.push(oid);
      }),
    );
    expect(failure).toMatchObject({ reason: 'moved' });
    expect(inRepository('made', 'new')).toEqual(['100644 a.md', '100644 c.md']);
  });

  test('to a branch that moved to where it began, or was rewritten, fails as `moved`', async () => {
    const { work, commit } = makeRepository('rewritten', { 'a.md': 'a' });
    commit({ 'a.md': 'b' });
    const failure = await failureOf(
      onBranch(optionsFor('rewritten'), async (branch) => {
        const oid = await branch.commit(changed({ 'b.md': file('b') }));
        git(work, 'reset', '--quiet', '--hard', 'HEAD~1');
        git(work, 'push', '--quiet', '--force', join(root, 'rewritten.git'), 'HEAD:refs/heads/main');
        await branch.push(oid);
      }),
    );
    expect(failure).toMatchObject({ reason: 'moved' });
    expect(served('rewritten', 'rev-list', '--count', 'main')).toBe('1');
  });

  test.each(['pre-receive', 'update'])('that a %s hook refuses fails with its words', async (which) => {
    makeRepository(which, { 'a.md': 'a' });
    hook(which, which, 'echo "main is protected" >&2; echo "ask Ada" >&2; exit 1');
    const failure = await failureOf(pushed(which, { 'b.md': file('b') }));
    expect(failure).toMatchObject({
      reason: 'rejected',
      message: expect.stringContaining('main is protected ask Ada'),
    });
    expect(inRepository(which)).toEqual(['100644 a.md']);
  });

  test('is not fooled by a hook that speaks like git, nor by endless words', async () => {
    makeRepository('liar', { 'a.md': 'a' });
    const lie = 'echo "fatal: Authentication failed, couldn\'t find remote ref"';
    hook('liar', 'pre-receive', `(${lie}; yes word | head -c 300000; printf '\\033[31mred') >&2; exit 1`);
    const failure = await failureOf(pushed('liar', { 'b.md': file('b') }));
    expect(failure.reason).toBe('rejected');
    expect(failure.message.length).toBeLessThan(1000);
    expect(failure.message).not.toMatch(/\p{Cc}/u);
  });

  test('to a server that takes none fails as not allowed', async () => {
    makeRepository('closed', { 'a.md': 'a' });
    const closed = await serveRepositories({ root });
    const failure = await failureOf(pushed('closed', { 'b.md': file('b') }, { url: `${closed.url}/closed.git` }));
    await closed.close();
    expect([failure.reason, failure.message]).toEqual(['authentication', 'access to the repository was denied']);
  });

  test('of more bytes than allowed fails as too large', async () => {
    makeRepository('too-large', { 'a.md': 'a' });
    const noise = Buffer.from(Array.from({ length: 400_000 }, (_, at) => (at * 2654435761) >>> (at % 24)));
    const failure = await failureOf(pushed('too-large', { 'b.bin': file(noise) }, { maxBytes: 20_000 }));
    expect(failure).toMatchObject({ reason: 'too-large', message: expect.stringContaining('push') });
    expect(inRepository('too-large')).toEqual(['100644 a.md']);
  });
});

describe('an abort', () => {
  test('in the middle of a commit ends it, and the next one works', async () => {
    makeRepository('aborted', { 'a.md': 'a' });
    const stop = new AbortController();
    const cacheDir = newCache();
    const change: FileChange = {
      mode: '100644',
      read: async () => {
        stop.abort();
        return Buffer.alloc(1_000_000);
      },
    };
    const failure = await failureOf(
      pushed('aborted', { 'b.md': change, 'c.md': change }, { cacheDir, signal: stop.signal }),
    );
    expect(failure).toMatchObject({ reason: 'aborted' });
    await pushed('aborted', { 'b.md': file('b') }, { cacheDir });
    expect(inRepository('aborted')).toEqual(['100644 a.md', '100644 b.md']);
  });

  test('of a file that cannot be read ends git too', async () => {
    makeRepository('unreadable', { 'a.md': 'a' });
    const cacheDir = newCache();
    const lost: FileChange = { mode: '100644', read: () => Promise.reject(new Error('the bytes are missing')) };
    const failure = await failureOf(pushed('unreadable', { 'b.md': lost }, { cacheDir }));
    expect(failure.message).toBe('the bytes are missing');
    expect(processesOf(cacheDir)).toEqual([]);
  });
});

describe('credentials', () => {
  const withCredentials = (password = credentials.password) =>
    servers.guarded.url.replace('://', `://${credentials.username}:${encodeURIComponent(password)}@`);

  test('push to a private repository', async () => {
    makeRepository('private', { 'a.md': 'a' });
    await pushed('private', { 'b.md': file('b') }, { url: `${withCredentials()}/private.git` });
    expect(inRepository('private')).toEqual(['100644 a.md', '100644 b.md']);
  });

  test('that are wrong or missing are an authentication failure that repeats nothing of them', async () => {
    makeRepository('guarded', { 'a.md': 'a' });
    const error = await failureOf(pushed('guarded', {}, { url: `${withCredentials('wrong-secret')}/guarded.git` }));
    expect(error.reason).toBe('authentication');
    expect(JSON.stringify([error, error.message, error.stack, error.words])).not.toMatch(/wrong-secret/);
    const missing = await failureOf(pushed('guarded', {}, { url: `${servers.guarded.url}/guarded.git` }));
    expect(missing.reason).toBe('authentication');
  });

  test('appear in no argument, no file and no error while git commits and pushes, nor after', async () => {
    makeRepository('secret', { 'a.md': 'a' });
    hook('secret', 'pre-receive', `echo "https://ada:${credentials.password}@host/ says no" >&2; exit 1`);
    const cacheDir = newCache();
    const args: string[] = [];
    const watched: FileChange = {
      mode: '100644',
      read: async () => {
        args.push(...processesOf(cacheDir).map(({ argv }) => argv));
        return Buffer.from('b');
      },
    };
    const watching = setInterval(() => args.push(...processesOf(cacheDir).map(({ argv }) => argv)), 5);
    const options = { url: `${withCredentials()}/secret.git`, cacheDir };
    const error = await failureOf(pushed('secret', { 'b.md': watched }, options)).finally(() =>
      clearInterval(watching),
    );
    expect(error.reason).toBe('rejected');
    expect(JSON.stringify([error, error.message, error.stack, error.words])).not.toMatch(/s3cret/);
    expect(args.join('\n')).toContain('fast-import');
    expect(args.join('\n')).toContain('push');
    expect(args.join('\n')).not.toContain('s3cret');
    const files = readdirSync(cacheDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((each) => readFileSync(join(each.parentPath, each.name)).includes('s3cret'))).toEqual([]);
  });
});

describe('a ref', () => {
  test.each(['main', 'refs/tags/v1', 'refs/heads/', 'refs/heads/a..b', 'refs/heads/-x', 'refs/heads/a b'])(
    '%j is refused before anything is asked',
    async (ref) => {
      const failure = await failureOf(pushed('none', {}, { ref, url: 'http://127.0.0.1:1/none.git' }));
      expect(failure.reason).toBe('invalid');
    },
  );
});
