import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Analytics, openAnalytics } from '../../shared/analytics/analytics.js';
import { createLog } from '../../shared/log.js';
import { packageFile } from '../../shared/package-root.js';

const built = pathToFileURL(packageFile('dist/shared/analytics/analytics.js')).href;
let dataDir: string;
let analytics: Analytics;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'bindery-analytics-test-'));
  await open();
  await analytics.client.command({ query: 'CREATE TABLE visits (n UInt32, page String) ENGINE=MergeTree ORDER BY n' });
});
afterAll(async () => {
  await analytics.close();
  await rm(dataDir, { recursive: true });
});

async function open(): Promise<void> {
  const module = (await import(built)) as { openAnalytics: typeof openAnalytics };
  analytics = await module.openAnalytics({ dataDir, log: createLog('silent') });
}

async function rows(query: string, options: object = {}): Promise<unknown[]> {
  const answer = await analytics.client.query({ query, format: 'JSONEachRow', ...options });
  return answer.json();
}

const insert = (values: object[]) => analytics.client.insert({ table: 'visits', format: 'JSONEachRow', values });

/** The engine processes of this test. */
const engines = (): number[] =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='])
    .toString()
    .split('\n')
    .filter((line) => line.includes('engine-process.js') && line.includes(dataDir))
    .map((line) => Number(line.trim().split(/\s+/, 1)[0]));

describe('the embedded analytics engine', () => {
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

  it('keeps the settings of a request to that request', async () => {
    const query = "SELECT getSetting('max_execution_time') AS seconds";
    expect(await rows(query, { clickhouse_settings: { max_execution_time: 7 } })).toEqual([{ seconds: 7 }]);
    expect(await rows(query)).toEqual([{ seconds: 0 }]);
  });

  it('says what is wrong as a server does', async () => {
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

  it.each(['SIGKILL', 'SIGSEGV', 'SIGSTOP'] as const)(
    'that gets %s is started again, with all that it took',
    async (signal) => {
      await insert([{ n: 2000, page: signal }]);
      const [engine] = engines();
      process.kill(engine as number, signal);
      // One that hangs is noticed by the answers that it does not give.
      while (engines().includes(engine as number)) await delay(50);
      while (
        !(await analytics.ping().then(
          () => true,
          () => false,
        ))
      )
        await delay(50);
      expect(await rows(`SELECT n FROM visits WHERE page = '${signal}'`)).toEqual([{ n: 2000 }]);
      expect(engines()).toHaveLength(1);
    },
  );

  it('ends with close, and opens again with what it took', async () => {
    await insert([{ n: 3000, page: 'closed' }]);
    await analytics.close();
    expect(engines()).toEqual([]);
    await expect(analytics.ping()).rejects.toThrow('closed');
    await open();
    expect(await rows("SELECT n FROM visits WHERE page = 'closed'")).toEqual([{ n: 3000 }]);
  });
});
