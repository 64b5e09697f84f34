import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { jwtVerify } from 'jose';
import { passed } from './git-front.js';

interface Installation {
  id: number;
  /** The account whose repositories it reaches. */
  account: string;
}

interface Asked {
  method: string;
  path: string;
  token: string;
  body: any;
}

const lifeMs = 3_600_000;

/** A GitHub with one App, in front of repositories: `<account>/<name>.git` is `<name>.git` of these. */
export async function githubWithApp(repositories: { url: string }, installations: readonly Installation[]) {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  /** The repositories that a token reaches: `<account>/<name>`, or all of the account. */
  const tokens = new Map<string, string>();
  const asked: Asked[] = [];

  async function answerAsApp({ path, token, body }: Asked): Promise<[number, object]> {
    await jwtVerify(token, publicKey, { algorithms: ['RS256'], issuer: '7', maxTokenAge: '10m' });
    const [, account] = /^\/repos\/([\w-]+)\/[\w-]+\/installation$/.exec(path) ?? [];
    const [, id] = /^\/app\/installations\/(\d+)\/access_tokens$/.exec(path) ?? [];
    const found = installations.find((each) => (id === undefined ? each.account === account : each.id === Number(id)));
    if (!found) return [404, {}];
    if (id === undefined) return [200, found];
    const made = `ghs_${tokens.size}`;
    const [repository] = body.repositories ?? [];
    tokens.set(made, repository === undefined ? found.account : `${found.account}/${repository}`);
    return [201, { token: made, expires_at: new Date(Date.now() + lifeMs).toISOString() }];
  }

  async function answerApi(message: IncomingMessage, path: string): Promise<[number, object]> {
    const token = message.headers.authorization?.replace(/^Bearer /, '') ?? '';
    const one = { method: message.method ?? '', path, token, body: JSON.parse((await text(message)) || 'null') };
    asked.push(one);
    if (/\/installation$|^\/app\//.test(path)) return answerAsApp(one);
    const account = tokens.get(token);
    if (account === undefined) return [401, {}];
    if (!path.startsWith('/installation/repositories')) return [201, { id: 1 }];
    const owner = { login: account };
    return [
      200,
      { repositories: [{ id: 1, name: 'docs', full_name: `${account}/docs`, owner, default_branch: 'main' }] },
    ];
  }

  /** The repository is only for those with a token for it. */
  function answerGit(message: IncomingMessage, reply: ServerResponse): void {
    const [, account, name = '', rest] = /^\/([\w-]+)\/([\w-]+)\.git(.*)$/.exec(message.url ?? '') ?? [];
    const [user, token = ''] = Buffer.from(message.headers.authorization?.slice('Basic '.length) ?? '', 'base64')
      .toString()
      .split(':');
    if (user !== 'x-access-token' || tokens.get(token) !== `${account}/${name}`)
      return void reply.writeHead(401, { 'www-authenticate': 'Basic realm="github"' }).end();
    message.url = `/${name}.git${rest}`;
    void passed(repositories.url, message, reply);
  }

  const server = createServer((message, reply) => {
    const [, path] = /^\/api\/v3(\/.*)$/.exec(message.url ?? '') ?? [];
    if (path === undefined) return answerGit(message, reply);
    void answerApi(message, path)
      .catch((): [number, object] => [401, {}])
      .then(([status, body]) => {
        reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    asked,
    /** Makes every token invalid. */
    revokeTokens: () => tokens.clear(),
    settings: {
      GITHUB_APP_ID: '7',
      GITHUB_APP_PRIVATE_KEY: privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
      GITHUB_API_URL: `${url}/api/v3`,
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
