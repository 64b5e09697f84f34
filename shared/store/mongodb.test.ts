import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { openMongoStore } from './mongodb/store.js';
import { storeSuite } from './suite.js';

const url = process.env.MONGODB_URL;

if (url) {
  const database = `bindery_test_${randomUUID().slice(0, 8)}`;
  const client = new MongoClient(url);
  let maySort = false;
  beforeAll(async () => {
    // DocumentDB, which may replace MongoDB here, sorts where MongoDB reads in order.
    const { gitVersion } = await client.db('admin').command({ buildInfo: 1 });
    maySort = gitVersion === 'documentdb';
  });
  afterAll(async () => {
    await client.db(database).dropDatabase();
    await client.close();
  });
  storeSuite('MongoDB', () => openMongoStore({ url, database }), {
    usesIndex: (plan) => /IXSCAN|IDHACK/.test(plan) && !/COLLSCAN/.test(plan) && (maySort || !/^ *SORT$/m.test(plan)),
  });
} else {
  console.warn('SKIPPED: the MongoDB store is tested only when MONGODB_URL names a server');
  test.skip('MongoDB (MONGODB_URL is not set)', () => {});
}
