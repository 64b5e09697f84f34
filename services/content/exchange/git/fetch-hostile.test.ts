import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { eventually } from '../../../../shared/testing/eventually.js';
import { stillClock } from '../../../../shared/testing/still-clock.js';
import { createProxy, type GuardedProxy } from './address/proxy.js';
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
    expect(await failure({ url })).toMatchObject({
      reason: 'too-large',
      message: 'the repository nests its folders more than 256 levels deep',
    });
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
    const { files, leftOut } = await fetched({ url });
    expect(files.map(({ path }) => path)).toEqual(['a.md', 'c.md']);
    expect(leftOut).toBe(1);
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

  async function slowFailure(answer: (reply: ServerResponse) => unknown) {
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

  /** The answer of the real server behind one of another name; its head is sent. */
  async function answered(reply: ServerResponse, name: string): Promise<Buffer> {
    const { req } = reply;
    const body = req.method === 'POST' ? Buffer.concat(await req.toArray()) : undefined;
    const headers = req.headers as Record<string, string>;
    const path = req.url?.replace('/slow.git', `/${name}.git`);
    const answer = await fetch(`${new URL(servers.open.url).origin}${path}`, {
      method: req.method ?? 'GET',
      headers: Object.fromEntries(Object.entries(headers).filter(([name]) => /^(git|content-type|accept$)/.test(name))),
      ...(body ? { body } : {}),
    });
    reply.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    return Buffer.from(await answer.arrayBuffer());
  }

  test('is fast at first and then stops is too slow', async () => {
    makeRepository('stops', { 'noise.bin': randomBytes(400_000) });
    const result = await slowFailure(async (reply) => {
      const content = await answered(reply, 'stops');
      if (content.length < 10_000) reply.end(content);
      else reply.write(content.subarray(0, content.length - 100));
    });
    expect(result).toMatchObject({ reason: 'timeout' });
  });

  describe('works for long before it sends anything', () => {
    stillClock();
    const leastRate = { bytes: 100_000, ms: 300 };
    const look = () => jest.advanceTimersByTime(leastRate.ms / 3);
    const packfile = Buffer.from('000dpackfile\n');

    /** Fetches from a server that does `work` where the packed files would begin. */
    async function fetchedAfter(work: (reply: ServerResponse, heard: () => number) => Promise<void>) {
      const proxy = createProxy({ allowCidrs: ['127.0.0.1/32'], leastRate });
      let heard = 0;
      const watched: GuardedProxy = {
        allowCidrs: proxy.allowCidrs,
        close: () => proxy.close(),
        async issuePass(limits) {
          const pass = await proxy.issuePass(limits);
          const noted = () => {
            pass.heard();
            heard++;
          };
          return { ...pass, heard: noted };
        },
      };
      const answer = async (reply: ServerResponse) => {
        const content = await answered(reply, 'works');
        const begin = content.indexOf(packfile);
        if (begin >= 0) {
          reply.write(content.subarray(0, begin + packfile.length));
          await work(reply, () => heard);
        }
        reply.end(content.subarray(begin < 0 ? 0 : begin + packfile.length));
      };
      const url = await serve((_, reply) => void answer(reply).catch(() => reply.destroy()));
      try {
        return await fetched({ url: `${url}/slow.git`, proxy: watched, cacheDir: newCache() });
      } finally {
        await proxy.close();
      }
    }

    test('and reports its progress meanwhile is waited for, and no longer than that', async () => {
      makeRepository('works', { 'a.md': '# A' });
      const tree = await fetchedAfter(async (reply, heard) => {
        for (let at = 1; at <= 12; at++) {
          const told = `\x02Compressing objects: ${at}% (${at}/100)\r`;
          reply.write((told.length + 4).toString(16).padStart(4, '0') + told);
          await eventually('the progress', () => heard() >= at);
          look();
        }
      });
      expect(tree.files.map(({ path }) => path)).toEqual(['a.md']);
      const silent = fetchedAfter(async () => {
        for (let at = 1; at <= 4; at++) look();
      });
      await expect(silent).rejects.toMatchObject({
        reason: 'timeout',
        message: expect.stringContaining('0.3 seconds'),
      });
    });
  });
});
