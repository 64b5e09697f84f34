import { type ClientSession, type Collection as MongoCollection, ObjectId } from 'mongodb';
import { type Collection, type SingleWrite, StoreConflict, singleWrites, type Write } from '../port.js';
import { type Connection, callMongo, turnMs } from './connection/connection.js';
import { repeatTransient } from './connection/retries.js';
import { inTransaction, runInTurn } from './connection/transactions.js';
import { type Stored, storedDocument } from './documents.js';
import { storeError } from './failures.js';
import { asUntyped, type MongoFilter, TOUCHED } from './fields.js';
import { filterFacts, mongoFilter } from './filters.js';
import { type MongoUpdate, mongoUpdate, mongoUpsert } from './updates.js';

interface Condition {
  collection: Collection<never>;
  filter: MongoFilter;
  expect?: number | undefined;
  /** The only document that can match, where the filter names it. */
  id?: string | undefined;
}

/** A write in MongoDB's terms. */
type Step =
  | { op: 'insert'; collection: Collection<never>; documents: Stored[] }
  | ({ op: 'update' | 'upsert'; update: MongoUpdate } & Condition)
  | ({ op: 'delete' | 'check' } & Condition);

/** Translates all writes before the first is sent, so that an invalid one changes nothing. Adjacent inserts become one. */
function translateWrites(writes: Write[]): Step[] {
  const steps: Step[] = [];
  for (const each of singleWrites(writes)) {
    if (each.op === 'insert' && each.documents.length === 0) continue;
    const step = translateWrite(each);
    const last = steps.at(-1);
    if (step.op === 'insert' && last?.op === 'insert' && last.collection.name === step.collection.name)
      last.documents.push(...step.documents);
    else steps.push(step);
  }
  return steps;
}

function translateWrite(each: SingleWrite): Step {
  const { op, collection } = each;
  if (op === 'insert')
    return { op, collection, documents: each.documents.map((one) => storedDocument(asUntyped(collection), one)) };
  const id = filterFacts(each.filter as MongoFilter).equal.get('_id');
  const condition = {
    collection,
    filter: mongoFilter(collection, each.filter),
    id: typeof id === 'string' ? id : undefined,
  };
  if (op === 'upsert') return { ...condition, op, update: mongoUpsert(collection, each.filter, each.update) };
  if (op === 'update') return { ...condition, op, update: mongoUpdate(collection, each.update), expect: each.expect };
  return { ...condition, op, expect: each.expect };
}

export async function runBatch(connection: Connection, writes: Write[]): Promise<void> {
  const steps = translateWrites(writes);
  const [only] = steps;
  if (!only) return;
  if (steps.length === 1 && isAtomic(only)) {
    const applyOnly = () => applyAndCheck(connection, only);
    return callMongo(connection, 'write', () => repeatTransient(applyOnly, { upsert: only.op === 'upsert' }));
  }
  await runInTurn(steps.flatMap(turnKeys), turnMs(connection), () =>
    inTransaction(connection, only.collection.name, async (session, progress) => {
      for (const step of steps) {
        progress.collection = step.collection.name;
        progress.upserting = step.op === 'upsert';
        await applyAndCheck(connection, step, session);
      }
    }),
  );
}

const turnKeys = (step: Step): string[] => ('id' in step && step.id ? [`${step.collection.name}/${step.id}`] : []);

/** Whether a step changes at most one document, which MongoDB does atomically without a transaction. */
function isAtomic(step: Step): boolean {
  if (step.op === 'insert') return step.documents.length === 1;
  if (step.op === 'upsert' || step.op === 'check') return true;
  return step.id !== undefined && (step.expect ?? 1) === 1;
}

async function applyAndCheck(connection: Connection, step: Step, session?: ClientSession): Promise<void> {
  const documents: MongoCollection<Stored> = connection.db.collection(step.collection.name);
  const expect = 'expect' in step ? step.expect : undefined;
  let matched: number;
  try {
    matched = await applyStep(documents, step, session);
  } catch (error) {
    throw storeError(step.collection, error);
  }
  if (expect !== undefined && matched !== expect) throw new StoreConflict(step.collection.name);
}

async function applyStep(documents: MongoCollection<Stored>, step: Step, session?: ClientSession): Promise<number> {
  const options = session && { session };
  switch (step.op) {
    case 'insert':
      return (await documents.insertMany(step.documents, options)).insertedCount;
    case 'update':
      return (await documents.updateMany(step.filter, step.update, options)).matchedCount;
    case 'upsert':
      return (await documents.updateOne(step.filter, step.update, { ...options, upsert: true })).matchedCount;
    case 'delete':
      return (await documents.deleteMany(step.filter, options)).deletedCount;
    case 'check':
      // A document that is only read may change before the commit; one that is written may not.
      if (session && step.expect)
        return (await documents.updateMany(step.filter, { $set: { [TOUCHED]: new ObjectId() } }, options)).matchedCount;
      return documents.countDocuments(step.filter, { ...options, limit: (step.expect ?? 0) + 1 });
  }
}
