import { type Collection, type SingleWrite, StoreConflict, singleWrites, type Write } from '../port.js';
import {
  changeDocument,
  checkUpsert,
  eachHeld,
  insertDocument,
  matchingRows,
  removeRows,
  upsertDocument,
} from './documents.js';
import { parseFilter } from './filters.js';
import type { Context } from './table.js';
import { parseUpdate } from './updates.js';

type Step = (context: Context) => Generator<void, void>;

/** Validates the writes; the returned function runs them in order, inside the caller's savepoint. */
export function runBatch(writes: Write[]): (contextOf: (of: Collection<never>) => Context) => Generator<void, void> {
  const steps = singleWrites(writes).map((write) => ({ collection: write.collection, step: translateWrite(write) }));
  return function* (contextOf) {
    for (const { collection, step } of steps) yield* step(contextOf(collection));
  };
}

function translateWrite(write: SingleWrite): Step {
  switch (write.op) {
    case 'insert':
      return function* (context) {
        for (const document of write.documents) {
          insertDocument(context, document);
          yield;
        }
      };
    case 'upsert':
      return upsertStep(write);
    case 'update':
      return updateStep(write);
    case 'delete':
      return deleteStep(write);
    case 'check':
      return checkStep(write);
    default:
      throw new TypeError(`${JSON.stringify((write as { op: unknown }).op)} is not a write`);
  }
}

function upsertStep({ filter, update }: SingleWrite & { op: 'update' | 'upsert' }): Step {
  const clauses = parseFilter(filter);
  const changes = parseUpdate(update);
  return function* (context) {
    checkUpsert(context.table, clauses, changes);
    upsertDocument(context, clauses, changes);
    yield;
  };
}

function updateStep({ filter, update, expect }: SingleWrite & { op: 'update' | 'upsert' }): Step {
  const clauses = parseFilter(filter);
  const changes = parseUpdate(update);
  return function* (context) {
    for (const held of eachHeld(context, clauses, (count) => checkCount(context, count, expect))) {
      changeDocument(context, held, changes);
      yield;
    }
  };
}

function deleteStep({ filter, expect }: SingleWrite & { op: 'delete' }): Step {
  const clauses = parseFilter(filter);
  return function* (context) {
    const rows = matchingRows(context, clauses);
    checkCount(context, rows.length, expect);
    yield* removeRows(context, rows);
  };
}

function checkStep({ filter, expect }: SingleWrite & { op: 'check' }): Step {
  const clauses = parseFilter(filter);
  return function* (context) {
    checkCount(context, matchingRows(context, clauses).length, expect);
    yield;
  };
}

function checkCount({ table }: Context, count: number, expected: number | undefined): void {
  if (expected !== undefined && count !== expected) throw new StoreConflict(table.name);
}
