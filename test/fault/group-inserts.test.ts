import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Analytics, openAnalytics } from '../../shared/analytics/analytics.js';
import { GroupInserts } from '../../shared/analytics/group-inserts.js';
import { creationSql, prepareTable, type Table } from '../../shared/analytics/table.js';
import { createLog } from '../../shared/monitoring/log.js';
import { packageFile } from '../../shared/process/package-root.js';
import { type ClickHouse, startClickHouse } from '../support/clickhouse.js';

const log = createLog('silent');
const table: Table = {
  name: 'visits',
  columns: { owner: 'String', n: 'UInt32', timestamp: "DateTime64(3, 'UTC')" },
  partitionBy: 'toYYYYMM(timestamp)',
  orderBy: 'owner, n',
  timeColumn: 'timestamp',
  shardBy: 'sipHash64(owner)',
};

let clickHouse: ClickHouse;
let analytics: Analytics;
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'bindery-inserts-'));
  clickHouse = await startClickHouse({ user: 'bindery', password: 'secret', database: 'docs' });
  analytics = await open(clickHouse.url);
  await prepareTable({ client: analytics.client, table, retentionDays: 365 });
});
afterAll(async () => {
  await analytics.close();
  await clickHouse.close();
  await rm(dataDir, { recursive: true });
});

async function open(url: string): Promise<Analytics> {
  const built = pathToFileURL(packageFile('dist/shared/analytics/analytics.js')).href;
  const module = (await import(built)) as { openAnalytics: typeof openAnalytics };
  return module.openAnalytics({ url, dataDir, log });
}

const insertsBy = (by: Analytics) => new GroupInserts({ client: async () => by.client, table: table.name, log });
const rowOf = (owner: string, n: number) => `${JSON.stringify({ owner, n, timestamp: new Date().toISOString() })}\n`;
const rowsOf = (owner: string, numbers: number[]) => ({
  owner,
  lines: numbers.map((n) => rowOf(owner, n)).join(''),
  count: numbers.length,
});

async function stored(owner: string): Promise<number[]> {
  const query = 'SELECT n FROM visits WHERE owner = {owner:String} ORDER BY n';
  const answer = await analytics.client.query({ query, query_params: { owner }, format: 'JSONEachRow' });
  return (await answer.json<{ n: number }>()).map(({ n }) => n);
}

/** Forwards to the database, and answers each insert for the first time by breaking the connection. */
async function losingAnswers(): Promise<{ server: Server; url: string; inserts: () => number }> {
  const target = new URL(clickHouse.url);
  const seen = new Set<string>();
  let inserts = 0;
  const server = createServer((request, response) => {
    const token = new URL(request.url ?? '/', target).searchParams.get('insert_deduplication_token');
    if (token !== null) inserts += 1;
    const isFirst = token !== null && !seen.has(token);
    if (token !== null) seen.add(token);
    const { headers, method, url: path } = request;
    const asked = httpRequest({ host: target.hostname, port: target.port, path, method, headers }, (answer) => {
      if (isFirst) answer.resume().once('end', () => response.destroy());
      else response.writeHead(answer.statusCode ?? 502, answer.headers) && answer.pipe(response);
    });
    request.pipe(asked);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = new URL(target);
  url.port = String((server.address() as AddressInfo).port);
  return { server, url: url.href, inserts: () => inserts };
}

describe('rows of many requests', () => {
  it('rows of the same change are stored once, from any process, beside the rows of others', async () => {
    const inserts = insertsBy(analytics);
    const change = randomUUID();
    const rounds = [1, 2, 3].map((n) =>
      Promise.all([
        inserts.insert({ ...rowsOf('named', [10 * n, 10 * n + 1]), change }),
        insertsBy(analytics).insert(rowsOf('named', [n])),
        inserts.insert(rowsOf('named', [n + 3])),
      ]),
    );
    await Promise.all(rounds);
    const numbers = await stored('named');
    expect(numbers.slice(0, 6)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(numbers.slice(6)).toHaveLength(2);
  });

  it('are stored once each, when their inserts are answered', async () => {
    const inserts = insertsBy(analytics);
    const numbers = Array.from({ length: 300 }, (_, n) => n);
    await Promise.all(numbers.map((n) => inserts.insert(rowsOf('many', [n]))));
    expect(await stored('many')).toEqual(numbers);
  });

  it('are stored once when the answer is lost, and the insert is sent again', async () => {
    const { server, url, inserts: count } = await losingAnswers();
    const by = await open(url);
    const inserts = insertsBy(by);
    await Promise.all([inserts.insert(rowsOf('lost', [1, 2])), inserts.insert(rowsOf('lost', [3]))]);
    expect(count()).toBe(2);
    expect(await stored('lost')).toEqual([1, 2, 3]);
    await by.close();
    server.close();
  });

  it('fail alone when the database refuses them', async () => {
    const inserts = insertsBy(analytics);
    const refused = { owner: 'bad', lines: '{"owner":"bad","n":"no number"}\n', count: 1 };
    const [good, bad, other] = await Promise.allSettled([
      inserts.insert(rowsOf('good', [1])),
      inserts.insert(refused),
      inserts.insert(rowsOf('good', [2])),
    ]);
    expect([good.status, bad.status, other.status]).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await stored('good')).toEqual([1, 2]);
    expect(await stored('bad')).toEqual([]);
  });

  it('of one owner fill only a share of what may wait', async () => {
    const inserts = insertsBy(analytics);
    const large = { owner: 'large', lines: `${' '.repeat(5 * 1024 * 1024)}\n`, count: 0 };
    const waiting = [inserts.insert(large), inserts.insert(large), inserts.insert(large)];
    expect(() => inserts.insert(large)).toThrow(expect.objectContaining({ type: 'UNAVAILABLE' }));
    await inserts.insert(rowsOf('small', [1]));
    await Promise.allSettled(waiting);
    await inserts.insert({ ...large, lines: rowOf('large', 1) });
    expect(await stored('large')).toEqual([1]);
  });

  it('are refused, and not stored, while the database is away', async () => {
    const inserts = insertsBy(analytics);
    await clickHouse.stop();
    const refused = await Promise.allSettled([1, 2, 3].map((n) => inserts.insert(rowsOf('away', [n]))));
    expect(refused).toEqual(
      refused.map(() => ({ status: 'rejected', reason: expect.objectContaining({ type: 'UNAVAILABLE' }) })),
    );
    await clickHouse.start();
    await inserts.insert(rowsOf('away', [4]));
    expect(await stored('away')).toEqual([4]);
  });
});

it('the statements that create a table on a cluster are SQL', async () => {
  const statements = creationSql({ client: analytics.client, table, retentionDays: 30, cluster: 'main' });
  expect(statements).toHaveLength(2);
  for (const sql of statements) {
    const query = 'SELECT formatQuery({sql:String}) AS formatted';
    const answer = await analytics.client.query({ query, query_params: { sql }, format: 'JSONEachRow' });
    const [{ formatted } = { formatted: '' }] = await answer.json<{ formatted: string }>();
    expect(formatted).toContain('ON CLUSTER main');
  }
});
