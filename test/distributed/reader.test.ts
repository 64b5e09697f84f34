import { randomBytes } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { freePort } from '../../shared/process/free-port.js';
import { eventually } from '../../shared/testing/eventually.js';
import { type ClickHouse, startClickHouse } from '../support/clickhouse.js';
import { ContentWriter, document, updated } from '../support/content-changes.js';
import { type StartedServer, startServer } from '../support/server.js';
import { mergeInto, type ShownSite, shownSite } from '../support/shown-sites.js';
import { type Shown, textIn, visit } from '../support/visitors.js';

const { MONGODB_URL, NATS_URL } = process.env;
const servers = MONGODB_URL && NATS_URL ? describe : describe.skip;
if (servers === describe.skip)
  console.warn('SKIPPED: sites as pages of separate processes; set NATS_URL and MONGODB_URL to test them');

/** Sites as pages by a process with gateway and reader, and by a gateway alone, in front of content and sites in processes of their own. */
servers('pages of sites, made by processes of their own', () => {
  const database = `bindery-test-${randomBytes(6).toString('hex')}`;
  const started: StartedServer[] = [];
  let env: Record<string, string>;
  let front: StartedServer;
  let gateway: StartedServer;
  let content: StartedServer;
  let clickhouse: ClickHouse;
  let made: ShownSite;

  const start = async (services: string, more: Record<string, string> = {}, port?: number) => {
    const server = await startServer({ env: { ...env, ...more, SERVICES: services }, ...(port ? { port } : {}) });
    started.push(server);
    return server;
  };
  const at = (server: StartedServer, path: string): Promise<Shown> =>
    visit(server, `${server.url}/sites/${made.site.id}/${path}`);
  const until = (what: string, ask: () => Promise<Shown>, holds: (shown: Shown) => boolean) =>
    eventually(what, ask, holds);
  const isReady = (server: StartedServer) =>
    eventually(
      'a gateway that is ready',
      () => server.get('/readyz'),
      ({ status }) => status === 200,
    );

  beforeAll(async () => {
    const url = new URL(String(MONGODB_URL));
    url.pathname = `/${database}`;
    const port = await freePort();
    env = {
      NATS_URL: String(NATS_URL),
      MONGODB_URL: url.href,
      SECRET_KEY: randomBytes(32).toString('base64'),
      BASE_URL: `http://127.0.0.1:${port}`,
      // Requests for a killed process end when they are too late.
      TIME_SCALE: '1',
    };
    clickhouse = await startClickHouse({ user: 'ada', password: 'hidden', database: 'docs' });
    await start('identity,comments,sites,insights,integrations', { CLICKHOUSE_URL: clickhouse.url });
    content = await start('content');
    front = await start('gateway,reader', {}, port);
    gateway = await start('gateway');
    await Promise.all([isReady(front), isReady(gateway)]);
    const paragraph = `${'A long paragraph with many words. '.repeat(30)}\n\n`;
    made = await shownSite(front, {
      Home: 'Welcome.\n',
      Start: 'Begin.\n',
      Other: 'Never asked for.\n',
      Long: paragraph.repeat(1300),
    });
  });
  afterAll(async () => {
    for (const server of started.toReversed())
      if (server.process.exitCode === null && server.process.signalCode === null) await server.stop();
    await clickhouse.close();
    const client = await new MongoClient(String(MONGODB_URL)).connect();
    await client.db(database).dropDatabase();
    await client.close();
  });

  it('are the same by every gateway, also those that are larger than a message', async () => {
    for (const path of ['', 'start', 'long', '~all', 'start.md', 'sitemap-pages.xml', 'nothing']) {
      const [near, far] = [await at(front, path), await at(gateway, path)];
      expect([path, near.status, far.status]).toEqual([path, path === 'nothing' ? 404 : 200, near.status]);
      const own = ({ body }: Shown) => body.replaceAll(front.url, '').replaceAll(gateway.url, '');
      expect(own(far)).toBe(own(near));
    }
    expect((await at(gateway, 'long')).body.length).toBeGreaterThan(1024 * 1024);
  });

  it('are made where they are asked for, if a reader is there', async () => {
    const metrics = `http://127.0.0.1:${await freePort()}`;
    await start('reader', { METRICS_PORT: new URL(metrics).port });
    const answered = async () => {
      const told = await (await fetch(`${metrics}/metrics`)).text();
      return Number(/^bindery_action_duration_seconds_count\{.*action="readSite".*\} (\d+)$/m.exec(told)?.[1] ?? 0);
    };
    // It has its share of what a gateway without a reader asks.
    await eventually('a page by the other reader', async () => {
      await at(gateway, 'start');
      return (await answered()) > 0;
    });
    const before = await answered();
    for (let again = 0; again < 20; again++) expect((await at(front, 'start')).status).toBe(200);
    expect(await answered()).toBe(before);
  });

  it('show a change through each of them', async () => {
    const writer = await ContentWriter.on(front, made.space);
    await writer.apply(updated(made.pages[1] as string, document('Begin anew.\n')));
    await mergeInto(front, writer);
    for (const server of [front, gateway])
      await until(
        'the change',
        () => at(server, 'start'),
        ({ body }) => body.includes('Begin anew.'),
      );
  });

  it('are the last good ones while content is away, else 503 and never 404, and heal', async () => {
    const good = await at(front, 'start');
    await content.kill();
    const answers: [path: string, shown: Shown][] = [];
    const ask = async (path: string) => {
      const shown = await at(front, path);
      answers.push([path, shown]);
      return shown;
    };
    const stale = await until(
      'a page that may be out of date',
      () => ask('start'),
      ({ headers }) => headers.warning !== undefined,
    );
    expect([stale.status, stale.body, stale.headers.warning]).toEqual([200, good.body, '111 - "Revalidation Failed"']);
    expect(stale.headers['cache-control']).toBe('no-cache');
    for (const path of ['other', 'nothing', 'other.md', 'llms.txt', '~search?q=begin', '~all', 'reference/x']) {
      const { status, headers, body } = await ask(path);
      expect([path, status, headers['retry-after'], headers['cache-control']]).toEqual([path, 503, '1', 'no-store']);
      expect([path, headers['content-type'], textIn({ body }, 'h1')]).toEqual([
        path,
        'text/html; charset=utf-8',
        expect.any(String),
      ]);
    }
    expect(
      answers.filter(([path, { status }]) => ![200, 503].includes(status) || (path !== 'start' && status === 200)),
    ).toEqual([]);
    content = await start('content');
    const healed = await until(
      'the page as it is',
      () => at(front, 'start'),
      ({ headers }) => headers.warning === undefined,
    );
    expect([healed.status, healed.body]).toEqual([200, good.body]);
    await until(
      'a page that nobody had asked for',
      () => at(front, 'other'),
      ({ status }) => status === 200,
    );
    expect((await at(front, 'nothing')).status).toBe(404);
  });
});
