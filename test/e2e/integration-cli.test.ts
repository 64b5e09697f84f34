import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { eventually } from '../../shared/testing/eventually.js';
import { selfSigned } from '../support/certificate.js';
import { newOrganization } from '../support/fixtures.js';
import { GitbookCli } from '../support/gitbook-cli.js';
import { install } from '../support/integrations.js';
import { type StartedServer, startServer } from '../support/server.js';

/** A server that may reach the tunnel of this test, whose certificate it knows. */
let server: StartedServer;
let cli: GitbookCli;
let organization: string;
let tunnel: Tunnel;
beforeAll(async () => {
  tunnel = await Tunnel.open();
  server = await startServer({ env: { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8', NODE_EXTRA_CA_CERTS: tunnel.certificate } });
  cli = await GitbookCli.create(server);
  organization = await newOrganization(server);
});
afterAll(async () => {
  await cli.close();
  await tunnel.close();
  await server.stop();
});

/** Leads from a public address to the development server of the client, as the program does that the client comes with. */
class Tunnel {
  port = 0;
  private constructor(
    readonly url: string,
    readonly certificate: string,
    private readonly server: ReturnType<typeof createServer>,
  ) {}

  static async open(): Promise<Tunnel> {
    const { certificate, privateKey } = selfSigned({ address: '127.0.0.1' });
    const file = join(process.env.TMPDIR ?? '/tmp', `bindery-tunnel-${process.pid}.pem`);
    await writeFile(file, certificate);
    const server = createServer({ cert: certificate, key: privateKey });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    // The client looks for an address that ends so.
    const tunnel = new Tunnel(`https://127.0.0.1:${port}/x.trycloudflare.com`, file, server);
    server.on('request', (from, to) => {
      const path = (from.url ?? '').replace('/x.trycloudflare.com', '');
      const sent = httpRequest({ port: tunnel.port, path, method: from.method, headers: from.headers }, (answer) => {
        to.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(to);
      });
      sent.on('error', () => to.writeHead(502).end());
      from.pipe(sent);
    });
    return tunnel;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await rm(this.certificate);
  }
}

it('says who its user is', async () => {
  const { code, output } = await cli.run(['whoami']);
  const { body } = await server.get('/v1/user');
  expect([code, output]).toEqual([0, expect.stringContaining(body.id)]);
  expect(output).toContain(body.displayName);
});

it('takes a token, and refuses one that is not valid', async () => {
  const taken = await cli.run(['auth', '--token', server.token, '--endpoint', server.url]);
  expect([taken.code, taken.output]).toEqual([0, expect.stringContaining('You are now authenticated')]);
  const refused = await cli.run(['auth', '--token', 'bnd_wrong', '--endpoint', server.url]);
  expect([refused.code === 0, refused.output]).toEqual([false, expect.stringContaining('not valid')]);
});

it('publishes an integration, publishes it again, and unpublishes it', async () => {
  const { name, cwd } = await cli.checkOut('greeter', organization);
  const first = await cli.run(['publish'], { cwd });
  expect([first.code, first.output]).toEqual([0, expect.stringContaining(name)]);
  const { body } = await server.get(`/v1/integrations/${name}`);
  expect(body).toMatchObject({
    name,
    version: 1,
    title: 'Greeter',
    visibility: 'public',
    scopes: ['site:script:inject', 'site:visitor:auth'],
    configurations: { account: { required: ['greeting'] } },
    contentSecurityPolicy: {
      'script-src': "https://scripts.example.com 'unsafe-inline'",
      'connect-src': 'api.example.com events.example.com',
    },
    owner: { id: organization },
  });
  expect(JSON.stringify(body)).not.toContain('of-the-greeter');
  const icon = await fetch(body.urls.icon);
  expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect((await cli.run(['publish'], { cwd })).code).toBe(0);
  expect((await server.get(`/v1/integrations/${name}`)).body.version).toBe(2);
  const kept = await cli.run(['unpublish', name], { input: 'n\n' });
  expect([kept.code, (await server.get(`/v1/integrations/${name}`)).status]).toEqual([0, 200]);
  const gone = await cli.run(['unpublish', name], { input: 'y\n' });
  expect([gone.code, (await server.get(`/v1/integrations/${name}`)).status]).toEqual([0, 404]);
});

it('is told what is wrong with an integration', async () => {
  const { cwd } = await cli.checkOut('greeter', 'nowhere');
  const { code, output } = await cli.run(['publish'], { cwd });
  expect([code === 0, output]).toEqual([false, expect.stringContaining('Organization not found')]);
});

it('prints the events of an integration with their logs', async () => {
  const { name, cwd } = await cli.checkOut('greeter', organization);
  expect((await cli.run(['publish'], { cwd })).code).toBe(0);
  const { urls } = await install(server, name, organization);
  await fetch(`${urls.publicEndpoint}/tailed`);
  await eventually(
    'the event of a request',
    async () => (await server.get(`/v1/integrations/${name}/events`)).body.items,
    (items) => items.some(({ payload }: any) => payload.type === 'fetch'),
  );
  const tail = cli.start(['tail'], { cwd });
  let output = '';
  await new Promise<void>((resolve) => {
    tail.stdout?.on('data', (part) => {
      output += part;
      if (/greeted .*\/tailed/.test(output)) resolve();
    });
  });
  tail.kill('SIGINT');
  expect(output).toMatch(/\[success\]\[\d{4}-.*"type":"fetch"/);
});

it('publishes OpenAPI specifications', async () => {
  const file = join(cli.home, 'petstore.yaml');
  await writeFile(file, 'openapi: 3.0.0\ninfo: { title: Pets, version: "1" }\npaths: {}\n');
  const { code, output } = await cli.run([
    'openapi',
    'publish',
    file,
    '--spec',
    'pets',
    '--organization',
    organization,
  ]);
  expect([code, output]).toEqual([0, expect.stringContaining('/openapi/pets')]);
  expect((await server.get(`/v1/orgs/${organization}/openapi/pets`)).body.slug).toBe('pets');
});

/** `gitbook dev`, once it runs. It chooses a port and opens it later: where another program has taken that meanwhile, it is started anew. */
async function startDev(cwd: string) {
  const from = await cli.withTunnel(tunnel.url);
  for (;;) {
    const dev = cli.start(['dev'], { cwd, from });
    let output = '';
    const said = (text: RegExp) =>
      new Promise<RegExpExecArray>((resolve, reject) => {
        const look = () => {
          const found = text.exec(output);
          if (found) resolve(found);
        };
        for (const stream of [dev.stdout, dev.stderr])
          stream?.on('data', (part) => {
            output += part;
            look();
          });
        dev.once('exit', () => reject(new Error(output)));
        look();
      });
    try {
      const [, port] = await said(/Local port (\d+) allocated/);
      tunnel.port = Number(port);
      await said(/Press Ctrl/);
      return { dev, said };
    } catch (error) {
      if (!/address already in use/i.test(String(error))) throw error;
    }
  }
}

it('runs an integration on the machine of its developer, which gets its events until the end', async () => {
  const { name, cwd } = await cli.checkOut('greeter', organization);
  expect((await cli.run(['publish'], { cwd })).code).toBe(0);
  const { urls } = await install(server, name, organization);
  const { dev, said } = await startDev(cwd);
  const answer = await fetch(`${urls.publicEndpoint}/at-home`);
  expect([answer.status, (await answer.json()).greeting]).toEqual([201, 'Hello']);
  await said(/greeted .*\/at-home/);
  const ended = once(dev, 'exit');
  dev.kill('SIGINT');
  await ended;
  // The client may end before it has told that: its runtime ends with the same signal.
  await server.delete(`/v1/integrations/${name}/dev`);
  expect((await fetch(`${urls.publicEndpoint}/away`)).status).toBe(201);
});
