import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '../../shared/testing/eventually.js';
import { newOrganization } from '../support/fixtures.js';
import { install, publish } from '../support/integrations.js';
import { type StartedServer, startServer, whileServing } from '../support/server.js';

/** What a script does, by the path that it is asked for. */
const attacks: Record<string, string> = {
  loop: 'for (;;) {}',
  'loop-of-promises': 'for (;;) await null;',
  typed: `const kept = [];
    for (let at = 0; at < 64; at++) { const part = new Uint8Array(32 * 1024 * 1024); part.fill(1); kept.push(part); }
    return new Response('allocated ' + kept.length);`,
  heap: 'const kept = []; for (;;) kept.push({ part: new Array(1000).fill(kept.length) });',
  text: "let text = 'x'; for (;;) text += text;",
  expression: "return new Response(String(/^(a+)+$/.test('a'.repeat(40) + 'b')));",
  fork: "const { fork } = await import('node:child_process'); fork('/bin/sh'); return new Response('forked');",
  files: "const { readFileSync } = await import('node:fs'); return new Response(readFileSync('/etc/passwd'));",
  environment: 'return Response.json({ environment: { ...globalThis.process?.env } });',
  private: "return new Response(await (await fetch('PRIVATE/secret')).text());",
  redirected: "return new Response(await (await fetch('http://localhost:PORT/secret')).text());",
  encoded: "return new Response(await (await fetch('http://0x7f000001:PORT/secret')).text());",
  health: "return new Response(await (await fetch(new URL('/healthz', apiEndpoint))).text());",
  logs: "for (let at = 0; at < 10_000; at++) console.log('line', at); return new Response('logged');",
  'long-logs': "for (let at = 0; at < 100; at++) console.log('x'.repeat(1_000_000)); return new Response('logged');",
  huge: 'return new Response(new Uint8Array(20 * 1024 * 1024));',
  never: 'await new Promise(() => {}); return new Response();',
  thrower: "throw new Error('of the script');",
  neighbour: `const answer = await fetch(apiEndpoint + '/v1/integrations/NEIGHBOUR/installations/INSTALLATION', {
      headers: { authorization: 'Bearer ' + token },
    });
    return new Response(String(answer.status));`,
  organizations: `const answer = await fetch(apiEndpoint + '/v1/orgs/ORGANIZATION', { headers: { authorization: 'Bearer ' + token } });
    return new Response(String(answer.status));`,
  own: `const answer = await fetch(apiEndpoint + '/v1/integrations/' + name + '/installations/' + installation, {
      headers: { authorization: 'Bearer ' + token },
    });
    return new Response(String(answer.status));`,
};

const scriptOf = (put: Record<string, string>) => {
  const cases = Object.entries(attacks).map(
    ([name, code]) => `${JSON.stringify(name)}: async ({ apiEndpoint, token, name, installation }) => { ${code} }`,
  );
  const script = `const attacks = { ${cases.join(',\n')} };
export default {
  async fetch(request) {
    const form = await request.formData();
    const event = JSON.parse(form.get('event'));
    const { apiEndpoint, apiTokens, integration, installation } = JSON.parse(form.get('environment'));
    if (event.type !== 'fetch') return new Response('ignored', { status: 406 });
    const attack = attacks[new URL(event.request.url).pathname.split('/').pop()];
    return attack({ apiEndpoint, token: apiTokens.installation, name: integration.name, installation: installation?.id });
  },
};`;
  return Object.entries(put).reduce((text, [name, value]) => text.replaceAll(name, value), script);
};

let server: StartedServer;
let hidden: Server;
let asked = 0;
let name: string;
let endpoint: string;
let neighbour: string;
beforeAll(async () => {
  hidden = createServer((_, answer) => {
    asked++;
    answer.end('secret');
  }).listen(0, '127.0.0.1');
  await once(hidden, 'listening');
  const { port } = hidden.address() as AddressInfo;
  // The end of scripts that hang is waited for.
  server = await startServer({ env: { TIME_SCALE: '2' } });
  const [organization, other] = [await newOrganization(server), await newOrganization(server)];
  const harmless = `export default { async fetch(request) {
    const { secrets } = JSON.parse((await request.formData()).get('environment'));
    return Response.json({ mine: secrets.KEY });
  } };`;
  const named = await publish(server, other, harmless, { secrets: { KEY: 'of the neighbour' } });
  const installation = await install(server, named, other, { configuration: { key: 'of the neighbour' } });
  neighbour = installation.urls.publicEndpoint;
  const put = {
    PRIVATE: `http://127.0.0.1:${port}`,
    PORT: String(port),
    NEIGHBOUR: named,
    INSTALLATION: installation.id,
    ORGANIZATION: other,
  };
  name = await publish(server, organization, scriptOf(put));
  endpoint = (await install(server, name, organization)).urls.publicEndpoint;
});
afterAll(async () => {
  hidden.close();
  expect(await server.stop()).toBe(0);
});

/** Asks the server, and the script of a neighbour, until something ends. */
const whileNeighbourServed = <T>(work: () => Promise<T>, least = 1): Promise<T> =>
  whileServing(
    server,
    async () => {
      const [user, answer] = await Promise.all([server.get('/v1/user'), fetch(`${neighbour}/x`)]);
      expect([user.status, answer.status, await answer.text()]).toEqual([200, 200, '{"mine":"of the neighbour"}']);
    },
    work,
    { least },
  );

/** They go on until a limit ends them; others may be over before anybody is answered. */
const endless = ['loop', 'loop-of-promises', 'expression'];

async function attackedBy(attack: string) {
  const { status, text } = await whileNeighbourServed(
    async () => {
      const answer = await fetch(`${endpoint}/${attack}`);
      return { status: answer.status, text: await answer.text() };
    },
    Number(endless.includes(attack)),
  );
  const isIt = ({ payload }: any) => payload.request?.url?.endsWith(`/${attack}`);
  const events = await eventually(
    'the event in the log',
    async () => (await server.get(`/v1/integrations/${name}/events`)).body.items,
    (items) => items.some(isIt),
  );
  const { event, trace } = (await server.get(`/v1/integrations/${name}/events/${events.find(isIt).id}`)).body;
  const logs: { level: string; message: string }[] = trace.logs;
  return { status, text, event: event.status, logs, said: logs.map(({ message }) => message).join('\n') };
}

// Which of its limits a loop comes to first depends on the machine; runtime/limits.test.ts has one of them alone.
it.each([
  ['loop', /processor time|took more than/],
  ['loop-of-promises', /processor time|took more than/],
  ['expression', /processor time|took more than/],
  ['heap', /memory/],
  ['text', /memory|Invalid string length/],
  ['typed', /memory|allocation failed/],
  ['never', /took more than|hang|never/],
  ['huge', /larger than/],
  ['fork', /child_process|not implemented/],
  ['files', /node:fs|no such file|not implemented/i],
  ['thrower', /of the script/],
] as const)('a script that does "%s" is stopped, its event says why, and others are served', async (attack, why) => {
  const { status, event, said } = await attackedBy(attack);
  expect([status, event]).toEqual([422, 'failed']);
  expect(said).toMatch(why);
});

it.each(['private', 'redirected', 'encoded', 'health'])(
  'a script that calls a private address (%s) is refused, and its event says so',
  async (attack) => {
    const { status, event, said } = await attackedBy(attack);
    expect([status, event, asked]).toEqual([422, 'failed', 0]);
    expect(said).toMatch(/refused|private|not allowed/i);
  },
);

it.each([
  ['neighbour', 404],
  ['organizations', 404],
  ['own', 200],
] as const)('a script that asks the API for what is not its own (%s) gets %d', async (attack, answered) => {
  const { status, text } = await attackedBy(attack);
  expect([status, text]).toEqual([200, String(answered)]);
});

it('a script sees no environment of the server', async () => {
  const { text } = await attackedBy('environment');
  expect(JSON.parse(text).environment).toEqual({});
});

it.each(['logs', 'long-logs'])(
  'a script that writes %s has the last lines in its trace, and how many are missing',
  async (attack) => {
    const { status, event, logs } = await attackedBy(attack);
    expect([status, event]).toEqual([200, 'success']);
    expect(logs.length).toBeLessThanOrEqual(1_010);
    expect(Buffer.byteLength(JSON.stringify(logs))).toBeLessThan(60_000);
    expect(logs.at(-1)?.message).toMatch(attack === 'logs' ? /9,?\d{3} .*dropped/ : /6\d .*dropped/);
  },
);
