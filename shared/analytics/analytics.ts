import { join } from 'node:path';
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import type { Log } from '../monitoring/log.js';
import { scaleMs } from '../settings/time-scale.js';
import { traceCalls } from '../tracing/tracing.js';
import { openEngine } from './engine.js';

/** The analytics database: a ClickHouse server, or the same engine in a process of its own, reached the same way. */
export interface Analytics {
  client: ClickHouseClient;
  /** Rejects when the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Where the embedded engine has its files; the folder is created with its first use. */
export const analyticsDir = (dataDir: string): string => join(dataDir, 'analytics');

/** Opens the ClickHouse server at `url`; without `url`, the embedded engine on files in `dataDir`, whose start `signal` ends. */
export async function openAnalytics({
  url,
  dataDir,
  log,
  signal,
}: {
  url?: string | undefined;
  dataDir: string;
  log: Log;
  signal?: AbortSignal;
}): Promise<Analytics> {
  const engine = url ? undefined : await openEngine(analyticsDir(dataDir), log, signal);
  const server = engine
    ? // The first request may wait for the engine to load.
      { url: 'http://analytics', http_agent: engine.agent, request_timeout: scaleMs(30_000) }
    : { url, request_timeout: scaleMs(10_000), max_open_connections: 100 };
  const client = traceCalls(
    'clickhouse',
    createClient({
      ...server,
      // Proxies, and the servers themselves, bound the length of a URL.
      use_multipart_params_auto: true,
      log: { level: ClickHouseLogLevel.OFF },
    }),
  );
  return {
    client,
    async ping() {
      const answer = await client.query({ query: 'SELECT 1', format: 'JSONEachRow' });
      await answer.json();
    },
    async close() {
      await client.close();
      await engine?.close();
    },
  };
}
