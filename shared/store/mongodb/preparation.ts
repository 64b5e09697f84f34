import { type Db, type IndexDescription, type Collection as MongoCollection, MongoServerError } from 'mongodb';
import { type Collection, collection, type Document } from '../port.js';
import type { SearchIndex } from '../search-port.js';
import { type Connection, withoutTimeLimits } from './connection/connection.js';
import { repeatTransient } from './connection/retries.js';
import { containsFields, foldValue, gramsPath } from './contains.js';
import type { Stored } from './documents.js';
import { TEXT } from './fields.js';
import { indexDescriptions } from './indexes.js';
import { droppedIndex, postingsIndex, searchCollections } from './search-entries.js';

const DOCUMENTS_A_WRITE = 500;
const NAMESPACE_EXISTS = 48;
const INDEX_NOT_FOUND = 27;

/** Creates missing collections and indexes; safe from many nodes at once. Indexes of older releases stay, unless they are retired. */
export async function prepareCollections(
  connection: Connection,
  collections: Collection<Document>[],
  searchIndexes: SearchIndex[],
): Promise<void> {
  await withoutTimeLimits(connection, async (db) => {
    for (const collection of collections) {
      checkName(collection.name);
      const documents = db.collection<Stored>(collection.name);
      const missing = await missingIndexes(db, documents, indexDescriptions(collection));
      for (const field of containsFields(collection))
        if (missing.some(({ key }) => Object.hasOwn(key, gramsPath(field)))) await addTexts(documents, field);
      if (missing.length > 0) await repeatTransient(() => documents.createIndexes(missing));
      await dropRetired(documents, collection);
    }
    for (const index of searchIndexes) {
      checkName(index.name);
      const { scopes, postings, entries, tallies } = searchCollections(db, index);
      for (const { collectionName } of [entries, tallies]) await createCollection(db, collectionName);
      await createMissing(db, postings, [postingsIndex]);
      await createMissing(db, scopes, [droppedIndex]);
    }
  });
}

function checkName(name: string): void {
  if (!/^[a-z][\w-]*$/i.test(name)) throw new TypeError(`${JSON.stringify(name)} is not a valid name of a collection`);
}

async function createCollection(db: Db, name: string): Promise<void> {
  try {
    await repeatTransient(() => db.createCollection(name));
  } catch (error) {
    if (!(error instanceof MongoServerError && error.code === NAMESPACE_EXISTS)) throw error;
  }
}

async function missingIndexes<T extends object>(db: Db, documents: MongoCollection<T>, wanted: IndexDescription[]) {
  await createCollection(db, documents.collectionName);
  const there = new Set((await documents.indexes()).map(({ name }) => name));
  return wanted.filter(({ name }) => !there.has(name));
}

async function dropRetired(documents: MongoCollection<Stored>, { name, retired }: Collection<Document>): Promise<void> {
  if (retired.length === 0) return;
  const there = new Set((await documents.indexes()).map((index) => index.name));
  for (const { name: index } of indexDescriptions(collection(name, retired)))
    if (index !== undefined && there.has(index))
      await documents.dropIndex(index).catch((error: unknown) => {
        // Another node was first.
        if (!(error instanceof MongoServerError && error.code === INDEX_NOT_FOUND)) throw error;
      });
}

async function createMissing<T extends object>(db: Db, documents: MongoCollection<T>, wanted: IndexDescription[]) {
  const missing = await missingIndexes(db, documents, wanted);
  if (missing.length > 0) await repeatTransient(() => documents.createIndexes(missing));
}

/** Adds the texts of documents that are older than the index. The index is created afterwards, so it exists only if this is done. */
async function addTexts(documents: MongoCollection<Stored>, field: string): Promise<void> {
  const path = `${TEXT}.${field}`;
  const without = { [field]: { $type: ['string', 'array'] }, [path]: { $exists: false } };
  for (;;) {
    const some = await documents
      .find(without)
      .project<Stored>({ [field]: 1 })
      .limit(DOCUMENTS_A_WRITE)
      .toArray();
    if (some.length === 0) return;
    // A document that changes meanwhile is left to the next round.
    await documents.bulkWrite(
      some.map((document) => ({
        updateOne: {
          filter: { _id: document._id, [field]: document[field] },
          update: { $set: { [path]: foldValue(document[field]) } },
        },
      })),
      { ordered: false },
    );
  }
}
