import { join } from 'node:path';
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { openEngine } from '../../shared/analytics/engine.js';
import { createLog } from '../../shared/monitoring/log.js';

export interface OpenEngine {
  client: ClickHouseClient;
  close(): Promise<void>;
}

/** Millions of events take longer to make, and to merge, than a request of the product may. */
const request_timeout = 600_000;

/** The embedded engine on the data folder of a product that does not run, or on a folder of its own. */
export async function openData(dataDir: string): Promise<OpenEngine> {
  const engine = await openEngine(join(dataDir, 'analytics'), createLog('error'));
  const client = createClient({
    url: 'http://analytics',
    http_agent: engine.agent,
    request_timeout,
    log: { level: ClickHouseLogLevel.OFF },
  });
  return {
    client,
    async close() {
      await client.close();
      await engine.close();
    },
  };
}
