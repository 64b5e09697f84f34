import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { createClient } from '@clickhouse/client';
import { eventsTable } from '../../services/insights/events/model.js';
import { packageFile } from '../../shared/process/package-root.js';
import { type ClickHouse, startClickHouse } from '../support/clickhouse.js';

let clickHouse: ClickHouse;
beforeAll(async () => {
  clickHouse = await startClickHouse();
});
afterAll(() => clickHouse.close());

const built = (name: string) => JSON.stringify(pathToFileURL(packageFile(`dist/${name}.js`)).href);

/** What each node does at its start, in a process of its own. It begins when its input ends. */
const program = `
import { openAnalytics } from ${built('shared/analytics/analytics')};
import { prepareTable } from ${built('shared/analytics/table')};
import { createLog } from ${built('shared/monitoring/log')};
import { eventsTable } from ${built('services/insights/events/model')};
const [url, retentionDays] = process.argv.slice(1);
const { client, close } = await openAnalytics({ url, dataDir: '/nowhere', log: createLog('silent') });
console.log('open');
for await (const _ of process.stdin);
await prepareTable({ client, table: eventsTable, retentionDays: Number(retentionDays) });
await close();
`;

interface Ended {
  code: number;
  said: string;
}

/** Prepares the table from a number of processes at once. */
async function prepareAtOnce(url: string, processes: number, retentionDays: number): Promise<Ended[]> {
  const nodes = Array.from({ length: processes }, () => {
    const options = ['--input-type=module', '--eval', program, '--', url, String(retentionDays)];
    const child = spawn(process.execPath, options, { stdio: ['pipe', 'pipe', 'pipe'] });
    let said = '';
    child.stderr.on('data', (text) => {
      said += text;
    });
    return { child, open: once(child.stdout, 'data'), ended: once(child, 'close'), said: () => said };
  });
  await Promise.all(nodes.map(({ open, ended }) => Promise.race([open, ended])));
  for (const { child } of nodes) child.stdin.end();
  return Promise.all(nodes.map(async ({ ended, said }) => ({ code: (await ended)[0], said: said() })));
}

async function rows<R>(url: string, query: string): Promise<R[]> {
  const client = createClient({ url });
  try {
    return await (await client.query({ query, format: 'JSONEachRow' })).json<R>();
  } finally {
    await client.close();
  }
}

async function command(url: string, query: string): Promise<void> {
  const client = createClient({ url });
  await client.command({ query });
  await client.close();
}

const namesOf = async (url: string) =>
  (
    await rows<{ name: string }>(
      url,
      `SELECT name FROM system.columns WHERE database = currentDatabase() AND table = '${eventsTable.name}'`,
    )
  ).map(({ name }) => name);
const createdBy = async (url: string) =>
  (
    await rows<{ text: string }>(
      url,
      `SELECT create_table_query AS text FROM system.tables WHERE database = currentDatabase() AND name = '${eventsTable.name}'`,
    )
  )[0]?.text;

const setting = 'merge_selector_base';

/** Forwards to the database, as one that does not know that setting. */
async function olderServer(database: string): Promise<{ url: string; close: () => void }> {
  const server = createServer(async (request, response) => {
    const statement = await text(request);
    if (statement.includes(setting)) {
      response.writeHead(404, { 'X-ClickHouse-Exception-Code': '115' });
      return response.end(`Code: 115. DB::Exception: Unknown setting '${setting}'. (UNKNOWN_SETTING)`);
    }
    const answer = await fetch(`http://${new URL(database).host}${request.url}`, { method: 'POST', body: statement });
    return response.writeHead(answer.status).end(await answer.text());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

const allWell = (count: number) => Array.from({ length: count }, () => ({ code: 0, said: '' }));

describe('four nodes that start at once', () => {
  const columns = Object.keys(eventsTable.columns);

  it('create one table', async () => {
    const { url } = clickHouse;
    expect(await prepareAtOnce(url, 4, 365)).toEqual(allWell(4));
    expect((await namesOf(url)).sort()).toEqual([...columns].sort());
    expect(await createdBy(url)).toContain('toIntervalDay(365)');
  });

  it('change nothing of a table that is as it should be', async () => {
    const { url } = clickHouse;
    const before = await createdBy(url);
    expect(await prepareAtOnce(url, 4, 365)).toEqual(allWell(4));
    expect(await createdBy(url)).toBe(before);
  });

  it('bring an older table up to date, and keep its rows', async () => {
    const { url } = clickHouse;
    const late = ['utmTerm', 'adZone', 'trademarkPlacement', 'claimValues', 'city'];
    for (const column of late) await command(url, `ALTER TABLE ${eventsTable.name} DROP COLUMN ${column}`);
    await command(url, `ALTER TABLE ${eventsTable.name} ADD COLUMN former String`);
    await command(url, `ALTER TABLE ${eventsTable.name} RESET SETTING ${setting}`);
    await command(
      url,
      `INSERT INTO ${eventsTable.name} (id, organization, site, timestamp, type, former) VALUES ('1', 'o', 's', now64(3), 'page_view', 'kept')`,
    );
    expect(await prepareAtOnce(url, 4, 30)).toEqual(allWell(4));
    expect((await namesOf(url)).sort()).toEqual([...columns, 'former'].sort());
    expect(await createdBy(url)).toContain('toIntervalDay(30)');
    expect(await createdBy(url)).toContain(`${setting} = 20`);
    const kept = await rows(url, `SELECT id, former, utmTerm, claimValues FROM ${eventsTable.name}`);
    expect(kept).toEqual([{ id: '1', former: 'kept', utmTerm: '', claimValues: {} }]);
  });
});

it('a server that lacks the setting of merges gets a table without it', async () => {
  const { url } = clickHouse;
  await command(url, `DROP TABLE ${eventsTable.name}`);
  const older = await olderServer(url);
  expect(await prepareAtOnce(older.url, 1, 365)).toEqual(allWell(1));
  older.close();
  expect(await createdBy(url)).toContain('toIntervalDay(365)');
  expect(await createdBy(url)).not.toContain(setting);
});
