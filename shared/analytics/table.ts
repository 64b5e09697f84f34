import { setTimeout as delay } from 'node:timers/promises';
import { type ClickHouseClient, ClickHouseError } from '@clickhouse/client';

/** A table of events in time. Its names and types are ours, never input: they become a part of SQL. */
export interface Table {
  name: string;
  /** ClickHouse types by the names of the columns. New columns are added at start; none is removed. */
  columns: Record<string, string>;
  partitionBy: string;
  orderBy: string;
  /** The column whose time decides when a row is deleted. */
  timeColumn: string;
  /** SQL expression that decides, on a cluster, which shard holds a row. */
  shardBy: string;
}

export interface Preparation {
  client: ClickHouseClient;
  table: Table;
  retentionDays: number;
  /** The cluster on which the table is replicated and distributed; undefined for one server. */
  cluster?: string | undefined;
}

/** Inserts are acknowledged when they are on disk; one that is sent again with its token changes nothing. */
const settings = 'fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 1000';
/** More parts in a merge, so that each row is merged fewer times: after small inserts, merging is most of the work. */
const mergeSetting = 'merge_selector_base = 20';

/** The table that holds the rows: on a cluster, each server has its own. */
export const storageTable = (name: string, cluster: string | undefined): string => (cluster ? `${name}_local` : name);

/** Follows the name of a table in statements that are for all servers. */
export const onClusterSql = (cluster: string | undefined): string => (cluster ? ` ON CLUSTER '${cluster}'` : '');

const ttlSql = ({ table: { timeColumn }, retentionDays }: Preparation) =>
  `toDateTime(${timeColumn}) + toIntervalDay(${retentionDays})`;

/** The statements that create a table. */
export function creationSql(preparation: Preparation): string[] {
  const { table, cluster } = preparation;
  const { name, columns, partitionBy, orderBy, shardBy } = table;
  const held = storageTable(name, cluster);
  const engine = cluster
    ? "ReplicatedMergeTree('/clickhouse/tables/{database}/{table}/{shard}', '{replica}')"
    : 'MergeTree';
  const creation = `CREATE TABLE IF NOT EXISTS ${held}${onClusterSql(cluster)} (
  ${Object.entries(columns)
    .map(([column, type]) => `${column} ${type}`)
    .join(',\n  ')}
) ENGINE = ${engine}
PARTITION BY ${partitionBy}
ORDER BY (${orderBy})
TTL ${ttlSql(preparation)}
SETTINGS ${settings}`;
  if (!cluster) return [creation];
  const distributed = `CREATE TABLE IF NOT EXISTS ${name}${onClusterSql(cluster)} AS ${held}
ENGINE = Distributed('${cluster}', currentDatabase(), '${held}', ${shardBy})`;
  return [creation, distributed];
}

/** The statements that bring a table up to date: the columns that it lacks, when rows are deleted, and how parts are merged. */
async function updateStatements(preparation: Preparation): Promise<string[]> {
  const { client, table, cluster, retentionDays } = preparation;
  const held = storageTable(table.name, cluster);
  const [{ engine = '' } = {}] = await queryRows<{ engine: string }>(client, {
    query:
      'SELECT engine_full AS engine FROM system.tables WHERE database = currentDatabase() AND name = {table:String}',
    query_params: { table: held },
  });
  const changes = await Promise.all(
    [...new Set([held, table.name])].map((each) => addColumnStatements(each, preparation)),
  );
  const alter = `ALTER TABLE ${held}${onClusterSql(cluster)}`;
  if (!engine.includes(`toIntervalDay(${retentionDays})`)) changes.push([`${alter} MODIFY TTL ${ttlSql(preparation)}`]);
  if (!engine.includes(mergeSetting)) changes.push([`${alter} MODIFY SETTING ${mergeSetting}`]);
  return changes.flat();
}

/** The statements that add the columns that a table lacks. */
async function addColumnStatements(name: string, { client, table, cluster }: Preparation): Promise<string[]> {
  const known = await queryRows<{ name: string }>(client, {
    query: 'SELECT name FROM system.columns WHERE database = currentDatabase() AND table = {table:String}',
    query_params: { table: name },
  });
  const names = new Set(known.map((column) => column.name));
  return Object.entries(table.columns)
    .filter(([column]) => !names.has(column))
    .map(([column, type]) => `ALTER TABLE ${name}${onClusterSql(cluster)} ADD COLUMN IF NOT EXISTS ${column} ${type}`);
}

const queryRows = async <R>(
  client: ClickHouseClient,
  query: { query: string; query_params: Record<string, unknown> },
): Promise<R[]> => (await client.query({ ...query, format: 'JSONEachRow' })).json<R>();

/** Another node changes the same table at this moment. */
const racing = new Set(['517', '999', '253', '57']);
const attempts = 5;

/** Older servers lack the setting of merges, and work without it. */
const unknownSetting = '115';

/** Creates a table, or brings it up to date. Any number of nodes may do so at the same time. */
export async function prepareTable(preparation: Preparation): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      for (const query of creationSql(preparation)) await preparation.client.command({ query });
      // The new end of rows is worked out in the background: it may take minutes, and nobody has to wait for it.
      for (const query of await updateStatements(preparation))
        await preparation.client.command({ query, clickhouse_settings: { alter_sync: '0' } }).catch((error) => {
          if (!(error instanceof ClickHouseError) || error.code !== unknownSetting) throw error;
        });
      return;
    } catch (error) {
      if (attempt === attempts || !(error instanceof ClickHouseError) || !racing.has(error.code)) throw error;
      await delay(200 * attempt);
    }
  }
}
