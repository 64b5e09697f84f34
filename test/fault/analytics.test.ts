import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Analytics, openAnalytics } from '../../shared/analytics/analytics.js';
import { createLog } from '../../shared/monitoring/log.js';
import { packageFile } from '../../shared/process/package-root.js';
import { eventually } from '../../shared/testing/eventually.js';
import { selfSigned } from '../support/certificate.js';
import { type ClickHouse, startClickHouse } from '../support/clickhouse.js';

const built = pathToFileURL(packageFile('dist/shared/analytics/analytics.js')).href;
let dataDir: string;
let server: ClickHouse;
let analytics: Analytics;

async function open(url?: string): Promise<Analytics> {
  const module = (await import(built)) as { openAnalytics: typeof openAnalytics };
  return module.openAnalytics({ url, dataDir, log: createLog('silent') });
}

const createTable = () =>
  analytics.client.command({ query: 'CREATE TABLE visits (n UInt32, page String) ENGINE=MergeTree ORDER BY n' });

async function rows(query: string, options: object = {}): Promise<any[]> {
  const answer = await analytics.client.query({ query, format: 'JSONEachRow', ...options });
  return answer.json();
}

const insert = (values: object[]) => analytics.client.insert({ table: 'visits', format: 'JSONEachRow', values });

const endless = 'SELECT uniqExact(sipHash64(number)) FROM numbers(100000000000)';

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'bindery-analytics-test-'));
});
afterAll(() => rm(dataDir, { recursive: true }));

const embedded = async () => {
  analytics = await open();
  await createTable();
};
const served = async () => {
  server = await startClickHouse({ user: 'ada', password: 'p@ss:w/rd', database: 'docs' });
  analytics = await open(server.url);
  await createTable();
};

describe.each([
  ['the embedded analytics engine', embedded],
  ['a ClickHouse server', served],
])('%s', (_, prepare) => {
  beforeAll(prepare);
  afterAll(async () => {
    await analytics.close();
    await server?.close();
  });

  it('takes rows, binds parameters, and streams what it finds', async () => {
    const texts = ['plain', "quote ' and \\ and \t", 'Zürich 日本\n', ''];
    await insert(texts.map((page, n) => ({ n, page })));
    const found = await rows(
      'SELECT page FROM visits WHERE page IN {pages:Array(String)} AND n < {n:UInt32} ORDER BY n',
      {
        query_params: { pages: texts, n: 4 },
      },
    );
    expect(found).toEqual(texts.map((page) => ({ page })));
    const [bound] = await rows('SELECT {text:String} AS text, {none:Nullable(UInt8)} AS none', {
      query_params: { text: texts[1], none: null },
    });
    expect(bound).toEqual({ text: texts[1], none: null });
    const many = await analytics.client.query({
      query: 'SELECT number FROM numbers(100000)',
      format: 'JSONEachRow',
    });
    let streamed = 0;
    for await (const part of many.stream()) streamed += part.length;
    expect(streamed).toBe(100_000);
  });

  it('binds lists of 200 KB, to queries and to commands', async () => {
    const listOf = (name: string) => Array.from({ length: 5000 }, (_, n) => `${name} ${n} '\\\r\n`);
    const lists = { a: listOf('first'), b: listOf('second') };
    const [bound] = await rows('SELECT {a:Array(String)} AS a, {b:Array(String)} AS b', { query_params: lists });
    expect(JSON.stringify(bound).length).toBeGreaterThan(200_000);
    expect(bound).toEqual(lists);
    const numbers = (from: number) => Array.from({ length: 13_000 }, (_, n) => from + n);
    await insert([100_001, 300_002].map((n) => ({ n, page: 'of a list' })));
    await analytics.client.command({
      query: 'ALTER TABLE visits DELETE WHERE n IN {a:Array(UInt32)} OR n IN {b:Array(UInt32)}',
      query_params: { a: numbers(100_000), b: numbers(300_000) },
      clickhouse_settings: { mutations_sync: '1' },
    });
    expect(await rows("SELECT n FROM visits WHERE page = 'of a list'")).toEqual([]);
  });

  it('keeps the settings and the parameters of a request to that request', async () => {
    const query = "SELECT getSetting('max_execution_time') AS seconds";
    for (const seconds of [7, 8, 7])
      expect(await rows(query, { clickhouse_settings: { max_execution_time: seconds } })).toEqual([{ seconds }]);
    expect(await rows(query)).toEqual([{ seconds: 0 }]);
    for (const n of [1, 2]) expect(await rows('SELECT {n:UInt8} AS n', { query_params: { n } })).toEqual([{ n }]);
    const missing = rows('SELECT {n:UInt8} AS n', { query_params: { m: 1 } });
    await expect(missing).rejects.toMatchObject({ type: 'UNKNOWN_QUERY_PARAMETER' });
    await analytics.client.command({ query: 'SET max_execution_time = 9' });
    expect(await rows(query)).toEqual([{ seconds: 0 }]);
  });

  it('says what is wrong', async () => {
    await expect(rows('SELECT nothing')).rejects.toMatchObject({ code: '47', type: 'UNKNOWN_IDENTIFIER' });
    await expect(rows('SELECT 1', { clickhouse_settings: { no_such_setting: 1 } })).rejects.toMatchObject({
      type: 'UNKNOWN_SETTING',
    });
    await expect(insert([{ n: 'no number' }])).rejects.toMatchObject({ code: '27' });
    const slow = { clickhouse_settings: { max_execution_time: 0.3, max_block_size: '1' } };
    await expect(rows('SELECT sum(sleepEachRow(0.1)) FROM numbers(60)', slow)).rejects.toMatchObject({
      type: 'TIMEOUT_EXCEEDED',
    });
  });

  it('answers many at once', async () => {
    await Promise.all(Array.from({ length: 50 }, (_, n) => insert([{ n: 1000 + n, page: 'at once' }])));
    expect(await rows("SELECT toUInt32(count()) AS count FROM visits WHERE page = 'at once'")).toEqual([{ count: 50 }]);
  });

  it('takes rows beside long queries, of which two run at the same time and more wait', async () => {
    const gone = new AbortController();
    let answered = 0;
    const ask = () => {
      const query = analytics.client.query({ query: endless, abort_signal: gone.signal });
      return query.finally(() => (answered += 1));
    };
    const queries = [ask()];
    expect(await rows('SELECT toUInt32(1) AS n')).toEqual([{ n: 1 }]);
    for (let more = 0; more < 5; more++) queries.push(ask());
    for (let n = 0; n < 5; n++) await insert([{ n: 5000 + n, page: 'beside' }]);
    expect(answered).toBe(0);
    gone.abort();
    for (const each of await Promise.allSettled(queries)) expect(each.status).toBe('rejected');
    expect(await rows("SELECT toUInt32(count()) AS count FROM visits WHERE page = 'beside'")).toEqual([{ count: 5 }]);
  });
});

/** The engine processes of this test. */
const engines = (): number[] =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='])
    .toString()
    .split('\n')
    .filter((line) => line.includes('engine-process.js') && line.includes(dataDir))
    .map((line) => Number(line.trim().split(/\s+/, 1)[0]));

const answers = () =>
  analytics.ping().then(
    () => true,
    () => false,
  );

describe('the process of the embedded analytics engine', () => {
  beforeAll(async () => {
    analytics = await open();
  });
  afterAll(() => analytics.close());

  it.each(['SIGKILL', 'SIGSEGV', 'SIGSTOP'] as const)(
    'that gets %s is started again, with all that it took',
    async (signal) => {
      await insert([{ n: 2000, page: signal }]);
      const [engine] = engines();
      process.kill(engine as number, signal);
      // One that hangs is noticed by the answers that it does not give.
      await eventually('its end', () => !engines().includes(engine as number));
      await eventually('an answer of the next one', answers);
      expect(await rows(`SELECT n FROM visits WHERE page = '${signal}'`)).toEqual([{ n: 2000 }]);
      expect(engines()).toHaveLength(1);
    },
  );

  it('ends a query that nobody waits for, and serves those that wait behind it', async () => {
    const gone = new AbortController();
    const abandoned = Array.from({ length: 3 }, () =>
      analytics.client.query({ query: endless, abort_signal: gone.signal }),
    );
    gone.abort();
    for (const each of await Promise.allSettled(abandoned)) expect(each.status).toBe('rejected');
    const running = "SELECT toUInt32(count()) AS count FROM system.processes WHERE query LIKE '%numbers(1000%'";
    const others = async () => (await rows(`${running} AND query NOT LIKE '%system.processes%'`))[0].count;
    await eventually('their end', others, (count) => count === 0);
    expect(engines()).toHaveLength(1);
  });

  it('refuses what it could not hold, and goes on', async () => {
    const large = { n: 1, page: 'x'.repeat(1024 * 1024) };
    await expect(insert(Array.from({ length: 65 }, () => large))).rejects.toMatchObject({ type: 'TOO_MANY_BYTES' });
    await insert([{ n: 4000, page: 'after' }]);
    expect(await rows("SELECT n FROM visits WHERE page = 'after'")).toEqual([{ n: 4000 }]);
    expect(engines()).toHaveLength(1);
  });

  it('ends with close, and opens again with what it took', async () => {
    await insert([{ n: 3000, page: 'closed' }]);
    await analytics.close();
    expect(engines()).toEqual([]);
    await expect(analytics.ping()).rejects.toThrow('closed');
    analytics = await open();
    expect(await rows("SELECT n FROM visits WHERE page = 'closed'")).toEqual([{ n: 3000 }]);
  });
});

describe('a ClickHouse server', () => {
  beforeAll(served);
  afterAll(async () => {
    await analytics.close();
    await server.close();
  });

  it('refuses another user, another password, and a database that it does not have', async () => {
    const changed = async (change: Partial<URL>) => {
      const { ping, close } = await open(Object.assign(new URL(server.url), change).href);
      return ping().finally(close);
    };
    await changed({});
    for (const change of [{ username: 'eve' }, { password: 'wrong' }, { username: '', password: '' }])
      await expect(changed(change)).rejects.toMatchObject({ code: '516', type: 'AUTHENTICATION_FAILED' });
    await expect(changed({ pathname: '/none' })).rejects.toMatchObject({ code: '81', type: 'UNKNOWN_DATABASE' });
  });

  it('that is away fails requests, and is used again when it is back', async () => {
    await insert([{ n: 1, page: 'before' }]);
    await server.stop();
    const failure = await analytics.ping().then(
      () => undefined,
      ({ code }: NodeJS.ErrnoException) => code,
    );
    // The latter of a connection that was open.
    expect(['ECONNREFUSED', 'ECONNRESET']).toContain(failure);
    await server.start();
    expect(await rows("SELECT n FROM visits WHERE page = 'before'")).toEqual([{ n: 1 }]);
  });

  it('is reached over https where its certificate is trusted', async () => {
    const tls = selfSigned({ address: '127.0.0.1' });
    const certificate = join(dataDir, 'certificate.pem');
    await writeFile(certificate, tls.certificate);
    const secure = await startClickHouse({ user: 'ada', password: 'secret', database: 'docs', tls });
    const script = `
      import { openAnalytics } from '${built}';
      const { ping, close } = await openAnalytics({ url: '${secure.url}' });
      await ping().then(() => console.log('answered'), ({ code }) => console.log(code)).finally(close);`;
    const ask = async (env: NodeJS.ProcessEnv) =>
      (await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { env })).stdout.trim();
    expect(await ask({ NODE_EXTRA_CA_CERTS: certificate })).toBe('answered');
    expect(await ask({})).toBe('DEPTH_ZERO_SELF_SIGNED_CERT');
    await secure.close();
  });
});
