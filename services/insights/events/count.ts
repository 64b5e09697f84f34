import { readRows } from '../../../shared/analytics/reading.js';
import type { EventsTable } from './model.js';

const query = 'SELECT toFloat64(count()) AS count FROM {table:Identifier} WHERE organization = {organization:String}';

/** The number of stored events of an organization. */
export async function countEvents({ client, table }: EventsTable, organization: string): Promise<number> {
  const [{ count } = { count: 0 }] = await readRows<{ count: number }>(client, {
    query,
    parameters: { table, organization },
  });
  return count;
}
