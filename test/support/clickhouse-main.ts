import { startClickHouse } from './clickhouse.ts';

/**
 * Prints a `CLICKHOUSE_URL`, and is that server until it gets a signal. A given `CLICKHOUSE_URL` names its login, database and
 * port, `DATA_DIR` the folder that it keeps its files in.
 */
const { CLICKHOUSE_URL = 'http://bindery:bindery@127.0.0.1:0/bindery', DATA_DIR } = process.env;
const { username: user, password, port, pathname } = new URL(CLICKHOUSE_URL);
const server = await startClickHouse({
  user,
  password,
  database: pathname.slice(1),
  port: Number(port),
  ...(DATA_DIR ? { folder: DATA_DIR } : {}),
});
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void server.close().then(() => process.exit(0)));
process.stdout.write(`${server.url}\n`);
