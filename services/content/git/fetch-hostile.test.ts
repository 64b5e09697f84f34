import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { createProxy } from '../../../shared/outbound/proxy.js';
import { git, processesOf, servedRepositories } from './testing/repositories.js';

const { root, servers, makeRepository, newCache, fetched, failure, serve } = servedRepositories();

type Entry = [mode: '040000' | '100644' | '120000', name: string, oid: string];

/** As git does, which would take a process for each of hundreds of objects. */
function writeObject(folder: string, type: string, input: Buffer | string): string {
  const content = Buffer.concat([Buffer.from(`${type} ${Buffer.byteLength(input)}\0`), Buffer.from(input)]);
  const oid = createHash('sha1').update(content).digest('hex');
  mkdirSync(join(folder, oid.slice(0, 2)), { recursive: true });
  writeFileSync(join(folder, oid.slice(0, 2), oid.slice(2)), deflateSync(content));
  return oid;
}

/** A repository whose tree is written object by object; `build` returns its top. */
function crafted(
  name: string,
  build: (make: { tree(entries: Entry[]): string; blob(text: string): string }) => string,
  message = 'crafted',
): string {
  const { work } = makeRepository(name, { 'a.md': 'a' });
  const object = (type: string, input: Buffer | string) => writeObject(join(work, '.git/objects'), type, input);
  const tree = (entries: Entry[]) =>
    object(
      'tree',
      Buffer.concat(
        entries.flatMap(([mode, path, oid]) => [
          Buffer.from(`${mode.replace(/^0/, '')} ${path}\0`),
          Buffer.from(oid, 'hex'),
        ]),
      ),
    );
  const top = build({ tree, blob: (text) => object('blob', text) });
  const commit = execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.c', 'commit-tree', top], {
    cwd: work,
    input: message,
    encoding: 'utf8',
  });
  git(work, 'push', '--quiet', '--force', join(root, `${name}.git`), `${commit.trim()}:refs/heads/main`);
  return `${servers.open.url}/${name}.git`;
}

describe('a small repository that', () => {
  test('lists more files than any disk holds is too large', async () => {
    const url = crafted('files', ({ tree, blob }) => {
      let top = blob('# Bomb');
      for (let level = 0; level < 30; level++)
        top = tree(['a', 'b'].map((name) => [level === 0 ? '100644' : '040000', name, top]));
      return top;
    });
    expect(await failure({ url })).toMatchObject({ reason: 'too-large', message: expect.stringContaining('100000') });
  });

  test('lists empty folders without end is too large', async () => {
    const url = crafted('folders', ({ tree }) => {
      let top = tree([]);
      for (let level = 0; level < 60; level++) top = tree(['a', 'b'].map((name) => ['040000', name, top]));
      return top;
    });
    const cacheDir = newCache();
    expect(await failure({ url, cacheDir, listingMs: 500 })).toMatchObject({
      reason: 'too-large',
      message: expect.stringContaining('too long to list'),
    });
    expect(processesOf(cacheDir)).toEqual([]);
  });

  test('lists long paths without end is too large', async () => {
    const url = crafted('paths', ({ tree, blob }) => {
      let top = tree([['100644', 'a.md', blob('a')]]);
      for (let level = 0; level < 16; level++)
        top = tree(['a', 'b'].map((name) => ['040000', name + 'x'.repeat(900), top]));
      return top;
    });
    expect(await failure({ url })).toMatchObject({ reason: 'too-large' });
  });

  test('nests its folders too deep is refused', async () => {
    const url = crafted('deep', ({ tree, blob }) => {
      let top = tree([['100644', 'a.md', blob('a')]]);
      for (let level = 0; level < 300; level++) top = tree([['040000', 'a', top]]);
      return top;
    });
    const result = await fetched({ url }).then(
      ({ files }) => files,
      ({ reason }) => reason,
    );
    // Before git 2.42, the depth is not limited: the path is.
    expect(['unsafe', 1]).toContain(Array.isArray(result) ? result.length : result);
  });

  test('has a path that is too long is imported without that file', async () => {
    const url = crafted('name', ({ tree, blob }) => {
      const oid = blob('a');
      return tree([
        ['100644', 'a.md', oid],
        ['100644', `${'b'.repeat(400_000)}.md`, oid],
        ['100644', 'c.md', oid],
      ]);
    });
    expect((await fetched({ url })).files.map(({ path }) => path)).toEqual(['a.md', 'c.md']);
  });

  test('has many links to one file reads each target once', async () => {
    const url = crafted('links', ({ tree, blob }) => {
      const [file, link] = [blob('# A'), blob('a.md')];
      const links = Array.from({ length: 20_000 }, (_, i): Entry => ['120000', `b${String(i).padStart(5, '0')}`, link]);
      return tree([['100644', 'a.md', file], ...links]);
    });
    const { files } = await fetched({ url });
    expect(files).toHaveLength(20_001);
    expect(new Set(files.map(({ oid }) => oid)).size).toBe(1);
  });

  test('has a commit message of megabytes keeps its beginning', async () => {
    const url = crafted(
      'message',
      ({ tree, blob }) => tree([['100644', 'a.md', blob('a')]]),
      'words '.repeat(1_000_000),
    );
    const { commit } = await fetched({ url });
    expect(commit?.message).toMatch(/^words words/);
    expect(commit?.message.length).toBeLessThan(20_000);
  });
});

describe('a server that', () => {
  const patient = 10;

  async function slowFailure(answer: (reply: ServerResponse) => void) {
    const url = await serve((_message, reply) => answer(reply));
    const proxy = createProxy({ allowCidrs: ['127.0.0.1/32'], leastRate: { bytes: 1000, ms: 300 } });
    try {
      return await failure({ url: `${url}/slow.git`, proxy, cacheDir: newCache() });
    } finally {
      await proxy.close();
    }
  }
  const trickle = (reply: ServerResponse) => {
    const tick = setInterval(() => reply.write('0'), patient);
    reply.once('close', () => clearInterval(tick));
  };

  test.each([
    ['never answers', () => undefined],
    [
      'sends a byte now and then',
      (reply: ServerResponse) => {
        reply.writeHead(200, { 'content-type': 'application/x-git-upload-pack-advertisement' });
        trickle(reply);
      },
    ],
    [
      'never ends its headers',
      ({ socket }: ServerResponse) => {
        socket?.write('HTTP/1.1 200 OK\r\n');
        const tick = setInterval(() => socket?.write('a: b\r\n'), patient);
        socket?.once('close', () => clearInterval(tick));
      },
    ],
  ])('%s is too slow', async (_, answer) => {
    expect(await slowFailure(answer)).toMatchObject({
      reason: 'timeout',
      message: expect.stringContaining('1000 bytes in 0.3 seconds'),
    });
  });

  test('is fast at first and then stops is too slow', async () => {
    makeRepository('stops', { 'noise.bin': randomBytes(400_000) });
    const behind = new URL(servers.open.url);
    const result = await slowFailure((reply) => {
      const { req } = reply;
      void (async () => {
        const body = req.method === 'POST' ? Buffer.concat(await req.toArray()) : undefined;
        const headers = req.headers as Record<string, string>;
        const path = req.url?.replace('/slow.git', '/stops.git');
        const answer = await fetch(`${behind.origin}${path}`, {
          method: req.method ?? 'GET',
          headers: Object.fromEntries(
            Object.entries(headers).filter(([name]) => /^(git|content-type|accept$)/.test(name)),
          ),
          ...(body ? { body } : {}),
        });
        const content = Buffer.from(await answer.arrayBuffer());
        reply.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
        if (content.length < 10_000) reply.end(content);
        else reply.write(content.subarray(0, content.length - 100));
      })();
    });
    expect(result).toMatchObject({ reason: 'timeout' });
  });
});
