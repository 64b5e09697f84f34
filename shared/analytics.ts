import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client';

/** The analytics database: a ClickHouse server, or the same engine in this process, which takes 200 MB of memory. */
export interface Analytics {
  client: ClickHouseClient;
  /** Rejects when the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the ClickHouse server at `url`; without `url`, the embedded engine on files in `dataDir`. */
export async function openAnalytics({
  url,
  dataDir,
}: {
  url?: string | undefined;
  dataDir: string;
}): Promise<Analytics> {
  const client = url
    ? createClient({ url, request_timeout: 10_000, log: { level: ClickHouseLogLevel.OFF } })
    : await embeddedClient(join(dataDir, 'analytics'));
  return {
    client,
    async ping() {
      const answer = await client.query({ query: 'SELECT 1', format: 'JSONEachRow' });
      await answer.json();
    },
    close: () => client.close(),
  };
}

/** Not a literal in the import: the code must compile without this optional package. */
const embeddedEngine: string = 'chdb/connection';
interface EmbeddedEngine {
  createChdbConnection(options: { path: string }): unknown;
}

async function embeddedClient(path: string): Promise<ClickHouseClient> {
  mkdirSync(path, { recursive: true });
  try {
    const { createChdbConnection } = (await import(embeddedEngine)) as EmbeddedEngine;
    return createClient({ connection: createChdbConnection({ path }) } as Parameters<typeof createClient>[0]);
  } catch (error) {
    throw new Error(
      `the embedded analytics engine cannot be loaded (${(error as Error).message}); install the optional packages with npm ci, or set CLICKHOUSE_URL`,
    );
  }
}
