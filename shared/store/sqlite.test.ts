import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from './sqlite/store.js';
import { storeSuite } from './suite.js';

const folder = mkdtempSync(join(tmpdir(), 'bindery-sqlite-'));

afterAll(() => rmSync(folder, { recursive: true }));

storeSuite('the SQLite store', () => openSqliteStore({ path: join(folder, 'suite.sqlite') }), {
  // A merge of ordered ranges reads each of them from the index.
  usesIndex: (plan) => !/SCAN d\b/.test(plan) && !plan.includes('TEMP B-TREE'),
});
