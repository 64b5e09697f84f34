import type { Connection } from './connection.js';
import type { Table } from './table.js';

/** Where a filter is asked: `d` stands for the collection's table. */
export interface Context {
  connection: Connection;
  table: Table;
}
