import type { ClientSession, Collection as MongoCollection } from 'mongodb';
import type { Collection, Document } from '../port.js';
import type { Connection } from './connection/connection.js';
import { inTransaction } from './connection/transactions.js';
import { type Stored, storedDocument } from './documents.js';
import { storeError } from './failures.js';

/** Inserts all or nothing. `skipExisting` skips documents whose `_id` exists, and all but the first with the same `_id`. */
export async function insertTogether(
  connection: Connection,
  collection: Collection<Document>,
  documents: Document[],
  skipExisting: boolean,
): Promise<void> {
  const stored = documents.map((document) => storedDocument(collection, document));
  const wanted = skipExisting ? firstOfEach(stored) : stored;
  if (wanted.length === 0) return;
  // The usual timeout is meant for a few documents.
  const roomy = { ...connection, callTimeout: connection.callTimeout + wanted.length * 2 };
  const target = connection.db.collection<Stored>(collection.name);
  await inTransaction(roomy, collection.name, async (session, progress) => {
    // A document that is inserted in between is found by the next attempt.
    progress.upserting = skipExisting;
    const fresh = skipExisting ? await findMissing(target, wanted, session) : wanted;
    if (fresh.length === 0) return;
    try {
      await target.insertMany(fresh, { session });
    } catch (error) {
      throw storeError(collection as unknown as Collection<never>, error);
    }
  });
}

function firstOfEach(documents: Stored[]): Stored[] {
  const byId = new Map<string, Stored>();
  for (const document of documents) if (!byId.has(document._id)) byId.set(document._id, document);
  return [...byId.values()];
}

async function findMissing(
  target: MongoCollection<Stored>,
  wanted: Stored[],
  session: ClientSession,
): Promise<Stored[]> {
  const ids = wanted.map(({ _id }) => _id);
  const there = await target.find({ _id: { $in: ids } }, { session, projection: { _id: 1 } }).toArray();
  const known = new Set(there.map(({ _id }) => _id));
  return wanted.filter(({ _id }) => !known.has(_id));
}
