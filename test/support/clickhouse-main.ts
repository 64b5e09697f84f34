import { startClickHouse } from './clickhouse.ts';

/** Prints a `CLICKHOUSE_URL`, and is that server until it gets a signal. */
const server = await startClickHouse({ user: 'bindery', password: 'bindery', database: 'bindery' });
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void server.close().then(() => process.exit(0)));
process.stdout.write(`${server.url}\n`);
