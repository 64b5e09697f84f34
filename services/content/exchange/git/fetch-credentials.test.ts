import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { credentials, processesOf, servedRepositories } from './testing/repositories.js';

const { servers, makeRepository, newCache, fetched, failure, serve } = servedRepositories();

describe('credentials', () => {
  function withCredentials(base: string, { username, password } = credentials): string {
    return base.replace('://', `://${username}:${encodeURIComponent(password)}@`);
  }

  test('open a private repository', async () => {
    makeRepository('private', { 'a.md': 'a' });
    expect((await fetched({ url: `${withCredentials(servers.guarded.url)}/private.git` })).files).toHaveLength(1);
  });

  test('wrong or missing: an authentication failure that repeats nothing of them', async () => {
    const wrong = withCredentials(servers.guarded.url, { username: 'token-of-ada', password: 'wrong-secret' });
    const error = await failure({ url: `${wrong}/private.git` });
    expect(error.reason).toBe('authentication');
    expect(JSON.stringify([error, error.message, error.stack])).not.toMatch(/token-of-ada|wrong-secret/);
    expect(await failure({ url: `${servers.guarded.url}/private.git` })).toMatchObject({ reason: 'authentication' });
    const local = await failure({ url: 'http://token-of-ada:wrong-secret@10.0.0.1/a.git' });
    expect(local.message).not.toMatch(/token-of-ada|wrong-secret/);
  });

  test('appear in no argument and no file, neither while git runs nor after', async () => {
    const cacheDir = newCache();
    let asked: () => void = () => undefined;
    const arrived = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const seen: string[] = [];
    const url = await serve((message, reply) => {
      if (!message.headers.authorization) {
        reply.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
        return;
      }
      seen.push(message.headers.authorization);
      asked();
    });
    const stop = new AbortController();
    const result = failure({ url: `${withCredentials(url)}/a.git`, cacheDir, signal: stop.signal });
    await arrived;
    const running = processesOf(cacheDir);
    expect(running.length).toBeGreaterThan(0);
    expect(running.map(({ argv }) => argv).join()).toContain('/a.git');
    expect(running.map(({ argv }) => argv).join()).not.toContain('s3cret');
    stop.abort();
    expect(await result).toMatchObject({ reason: 'aborted' });
    expect(seen).toEqual([
      `Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64')}`,
    ]);
    const files = readdirSync(cacheDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.filter((file) => readFileSync(join(file.parentPath, file.name)).includes('s3cret'))).toEqual([]);
  });

  test('do not follow a redirect to another origin', async () => {
    const seen: string[] = [];
    const thief = await serve((message, reply) => {
      seen.push(message.url ?? '');
      reply.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
    });
    for (const ask of [true, false]) {
      const url = await serve((message, reply) => {
        if (ask && !message.headers.authorization)
          reply.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
        else reply.writeHead(302, { location: `${thief}${message.url}` }).end();
      });
      const error = await failure({ url: `${withCredentials(url)}/a.git` });
      expect(error).toMatchObject({ reason: 'refused', message: expect.stringContaining('redirect') });
    }
    expect(seen).toEqual([]);
  });

  test('follow a redirect within their origin', async () => {
    const url = await serve((message, reply) => {
      if (message.url?.startsWith('/old/')) {
        reply.writeHead(301, { location: message.url.replace('/old/', '/private.git/') }).end();
        return;
      }
      const { method, headers } = message;
      const passed = request(`${servers.guarded.url}${message.url}`, { method, headers }, (answer) => {
        reply.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(reply);
      });
      message.pipe(passed);
    });
    expect((await fetched({ url: `${withCredentials(url)}/old` })).files).toHaveLength(1);
  });
});
