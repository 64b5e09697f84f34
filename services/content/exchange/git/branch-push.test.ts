import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FileChange, workOnBranch } from './branch.js';
import { serveRepositories } from './serve.js';
import { changed, failureOf, file, servedBranches } from './testing/branches.js';
import { credentials, git, processesOf } from './testing/repositories.js';

const { root, servers, makeRepository, newCache, optionsFor, pushed, served, inRepository, hook } = servedBranches();

describe('a push', () => {
  test('to a branch that has moved fails as `moved` and leaves it', async () => {
    const { commit } = makeRepository('moved', { 'a.md': 'a' });
    let theirs = '';
    const failure = await failureOf(
      workOnBranch(optionsFor('moved'), async (branch) => {
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
      workOnBranch(optionsFor('made', { ref: 'refs/heads/new' }), async (branch) => {
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
      workOnBranch(optionsFor('rewritten'), async (branch) => {
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
