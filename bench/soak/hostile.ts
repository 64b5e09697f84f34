import { execFile } from 'node:child_process';
import { setMaxListeners } from 'node:events';
import { get } from 'node:http';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import { deflateRawSync } from 'node:zlib';
import { type Client, importInto } from './client.js';
import type { Record } from './record.js';
import { type HostileUrls, hostileRepositories } from './repositories.js';

export interface Attack {
  name: string;
  /** Goes on until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

/** Attackers have an address of their own, as on another machine: those without a token share what an address may take. */
export const hostileAddress = '127.0.0.2';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

interface Target {
  /** With the token of an admin of the hostile organization. */
  client: Client;
  /** Without a token. */
  stranger: Client;
  token: string;
  organization: string;
  record: Record;
}

const newSpace = async ({ client, organization }: Target) =>
  (await client.ok('POST', `/v1/orgs/${organization}/spaces`, { title: 'Hostile' })).id as string;

/** Sends one request after the other. `pauseMs`: between an answer and the next request. */
function repeated(
  { record }: Target,
  { name, lanes, pauseMs = 20 }: { name: string; lanes: number; pauseMs?: number },
  act: (turn: number) => Promise<number>,
): Attack {
  const lane = async (signal: AbortSignal) => {
    for (let turn = 0; !signal.aborted; turn++) {
      const status = await act(turn).catch((error: NodeJS.ErrnoException) => error.code ?? error.name);
      if (!signal.aborted) record.add(name, status);
      await pause(status === 429 ? 500 : pauseMs);
    }
  };
  return {
    name,
    async run(signal) {
      await Promise.all(Array.from({ length: lanes }, () => lane(signal)));
    },
  };
}

/** Keeps sockets open that do something until they are cut; each is replaced then. `cut` counts them. */
function sockets(
  { client, record }: Target,
  { name, count }: { name: string; count: number },
  act: (write: (text: string) => void, signal: AbortSignal) => Promise<void>,
): Attack {
  const { hostname, port } = new URL(client.url);
  const one = async (signal: AbortSignal) => {
    while (!signal.aborted) {
      const socket = connect({ port: Number(port), host: hostname, localAddress: hostileAddress });
      const cut = new AbortController();
      socket.on('error', () => {});
      socket.once('close', () => cut.abort());
      socket.pause();
      const ended = AbortSignal.any([signal, cut.signal]);
      await act((text) => socket.writable && socket.write(text), ended).catch(() => {});
      while (!ended.aborted) await pause(200);
      if (!signal.aborted) record.add(name, 'cut');
      socket.destroy();
    }
  };
  return {
    name,
    async run(signal) {
      setMaxListeners(0, signal);
      await Promise.all(Array.from({ length: count }, () => one(signal)));
    },
  };
}

/** Imports every hostile repository in turn, a few at once; how each ended is recorded. */
function imports(target: Target, urls: HostileUrls): Attack {
  const { client, record } = target;
  const lane = async (signal: AbortSignal, first: number) => {
    for (let turn = first; !signal.aborted; turn++) {
      const kind = hostileRepositories[turn % hostileRepositories.length] as (typeof hostileRepositories)[number];
      const state = await newSpace(target)
        .then((space) => Promise.race([importInto(client, space, urls[kind]), ended(signal)]))
        .catch((error: Error) => error.message.replace(/.*: (\d{3}) .*/s, '$1'));
      if (!signal.aborted) record.add(`import: ${kind}`, state.slice(0, 60));
      await pause(500);
    }
  };
  const ended = (signal: AbortSignal) =>
    new Promise<string>((resolve) => signal.addEventListener('abort', () => resolve('ended')));
  return {
    name: 'imports',
    async run(signal) {
      await Promise.all([0, 1, 2, 3, 4, 5].map((first) => lane(signal, first)));
    },
  };
}

async function newCertificate(): Promise<string> {
  const args = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=hostile', '-keyout', '/dev/null'];
  return (await promisify(execFile)('openssl', args)).stdout;
}

/** SAML answers for a provider of the hostile organization: large, deep, and not XML at all. */
async function samlAnswers(target: Target): Promise<Attack> {
  const { client, stranger, organization } = target;
  const { id } = await client.ok('POST', `/v1/orgs/${organization}/saml`, {
    label: 'Hostile',
    entityID: 'https://hostile.example/saml',
    ssoURL: 'https://hostile.example/saml/sign-in',
    certificate: await newCertificate(),
  });
  const bodies = [`<a>${'<b>'.repeat(30_000)}`, `<a ${'b="" '.repeat(30_000)}/>`, 'x'.repeat(100_000)]
    .flatMap((xml) => [Buffer.from(xml).toString('base64'), deflateRawSync(xml).toString('base64')])
    .map((answer) => `SAMLResponse=${encodeURIComponent(answer)}`);
  return repeated(target, { name: 'SAML answers', lanes: 4 }, async (turn) => {
    const answer = await fetch(`${stranger.url}/saml/${id}/acs`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: bodies[turn % bodies.length] as string,
    });
    await answer.arrayBuffer();
    return answer.status;
  });
}

/** Bodies as large as they may be, of many small parts. */
function largeBodies(target: Target): Attack {
  const bodies = [
    `[${'0,'.repeat(500_000)}0]`,
    `{"emails":[${'"a",'.repeat(200_000)}"a"]}`,
    `{"title":${'['.repeat(100_000)}`,
    `{${'"a":1,'.repeat(100_000)}"a":1}`,
  ];
  const { client, organization } = target;
  return repeated(target, { name: 'large bodies', lanes: 2 }, (turn) =>
    client.statusOf('POST', `/v1/orgs/${organization}/invites`, bodies[turn % bodies.length]),
  );
}

const statusOnNewConnection = (url: string) =>
  new Promise<number>((resolve, reject) => {
    const asked = get(`${url}/v1/user`, { agent: false, localAddress: hostileAddress }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
    });
    asked.once('error', reject);
  });

/** Everything that a stranger, and a tenant with an account, may try at once. */
export async function attacks(target: Target, urls: HostileUrls): Promise<Attack[]> {
  const { client, stranger, token } = target;
  const spaceOf = async (kind: 'conditional' | 'many') => {
    const space = await newSpace(target);
    const state = await importInto(client, space, urls[kind]);
    if (state !== 'success') process.stdout.write(`the hostile import of ${kind}: ${state}\n`);
    return space;
  };
  const [conditional, many] = [await spaceOf('conditional'), await spaceOf('many')];
  const host = new URL(client.url).host;
  const head = (method: string, path: string) =>
    `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n`;
  return [
    imports(target, urls),
    await samlAnswers(target),
    largeBodies(target),
    repeated(target, { name: 'conditional search', lanes: 4 }, (turn) =>
      client.statusOf('GET', `/v1/spaces/${conditional}/search?query=reader%20${turn}`),
    ),
    repeated(target, { name: 'large revision', lanes: 8 }, () => client.statusOf('GET', `/v1/spaces/${many}/content`)),
    repeated(target, { name: 'large page tree', lanes: 4 }, () =>
      client.statusOf('GET', `/v1/spaces/${many}/content/pages`),
    ),
    repeated(target, { name: '/openapi.json', lanes: 2 }, () => stranger.statusOf('GET', '/openapi.json')),
    repeated(target, { name: '/metrics', lanes: 1 }, () => stranger.statusOf('GET', '/metrics')),
    repeated(target, { name: '/readyz', lanes: 2 }, () => stranger.statusOf('GET', '/readyz')),
    repeated(target, { name: 'unknown tokens', lanes: 4 }, (turn) =>
      stranger.statusOf('GET', '/v1/user', undefined, `unknown-${turn}`),
    ),
    repeated(target, { name: 'unknown spaces', lanes: 4, pauseMs: 5 }, (turn) =>
      client.statusOf('GET', `/v1/spaces/unknown${turn}`),
    ),
    repeated(target, { name: 'new connections', lanes: 16, pauseMs: 5 }, () => statusOnNewConnection(client.url)),
    sockets(target, { name: 'clients that do not read', count: 24 }, async (write) => {
      for (let at = 0; at < 16; at++) write(`${head('GET', `/v1/spaces/${many}/content`)}\r\n`);
    }),
    sockets(target, { name: 'bodies without an end', count: 24 }, async (write, signal) => {
      write(`${head('POST', '/v1/orgs')}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`);
      while (!signal.aborted) {
        write('1\r\n{\r\n');
        await pause(1000);
      }
    }),
    sockets(target, { name: 'headers without an end', count: 24 }, async (write, signal) => {
      write(`GET / HTTP/1.1\r\nHost: ${host}\r\n`);
      for (let at = 0; !signal.aborted; at++) {
        write(`X-${at}: a\r\n`);
        await pause(1000);
      }
    }),
  ];
}
