import { randomUUID } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { openMongoBlobs } from '../../blobs/mongodb.js';
import type { Blobs } from '../../blobs/port.js';
import { eventually } from '../../testing/eventually.js';
import { Wire } from '../../testing/wire.js';
import { collection, type Document, type Store, write } from '../port.js';
import { openMongoStore } from './store.js';

const url = process.env.MONGODB_URL;

interface Thing extends Document {
  size: number;
}

const things = collection<Thing>('faults_things', [{ on: { size: 1 } }]);

const callTimeout = 1_500;

async function rejected(work: Promise<unknown>): Promise<Error> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Error);
  return error as Error;
}

if (url)
  describe('a MongoDB in trouble', () => {
    const database = `bindery_test_${randomUUID().slice(0, 8)}`;
    const reachedAgain = async () => {
      await answered(() => blobs.size('none'));
      return answered(() => store.get(things, 'a'));
    };
    const { hostname, port } = new URL(url.split(',', 1)[0] ?? url);
    let wire: Wire;
    let through: string;
    let store: Store;
    let blobs: Blobs & { close(): Promise<void> };

    beforeAll(async () => {
      wire = new Wire(hostname, Number(port || 27017));
      through = `mongodb://127.0.0.1:${await wire.listen()}/?directConnection=true`;
      store = await openMongoStore({ url: through, database, callTimeout });
      blobs = await openMongoBlobs({ url: through, database, callTimeout });
      await store.prepare([things as never]);
    });
    afterEach(async () => {
      wire.go();
      await reachedAgain();
    });
    afterAll(async () => {
      await Promise.all([store.close(), blobs.close()]);
      await wire.close();
      const client = new MongoClient(url);
      await client.db(database).dropDatabase();
      await client.close();
    });

    test('that hangs blocks no caller, and serves again', async () => {
      await store.insert(things, { _id: 'a', size: 1 });
      wire.hang();
      const update = { $inc: { size: 1 } };
      const ended: string[] = [];
      // The timers of a process fire in the order of their ends, however busy it is.
      const late = delay(2 * callTimeout).then(() => ended.push('twice the time of a call'));
      const batched = (name: string) =>
        store
          .batch([write.update(things, { _id: 'a' }, update), write.check(things, {}, 1)])
          .finally(() => ended.push(name));
      const [ping, get, page, change, batch, behind] = await Promise.all([
        rejected(store.ping()),
        rejected(store.get(things, 'a')),
        rejected(store.page(things, { filter: {}, sort: { size: 1 }, limit: 5 })),
        rejected(store.updateMany(things, {}, update)),
        rejected(batched('batch')),
        rejected(batched('behind')),
      ]);
      // Who waits for a turn hears in time that nothing was done.
      expect(ended).toEqual(['behind', 'batch']);
      await late;
      expect([get, page]).toMatchObject([{ type: 'UNAVAILABLE' }, { type: 'UNAVAILABLE' }]);
      // A batch that did not reach its commit changed nothing.
      expect([change, batch]).toMatchObject([{ type: 'OUTCOME_UNKNOWN' }, { type: 'UNAVAILABLE' }]);
      expect(ping).toBeInstanceOf(Error);
      expect(behind).toMatchObject({ type: 'UNAVAILABLE' });
      wire.go();
      expect(await reachedAgain()).toMatchObject({ _id: 'a' });
    });

    test('that resets connections is away for those who write to them', async () => {
      await store.upsert(things, { _id: 'a' }, { $set: { size: 1 } });
      const update = { $inc: { size: 1 } };
      const batch = [write.update(things, { _id: 'a' }, update), write.check(things, {}, 1)];
      for (const [type, ask] of [
        ['UNAVAILABLE', () => store.get(things, 'a')],
        ['OUTCOME_UNKNOWN', () => store.updateMany(things, {}, update)],
        ['UNAVAILABLE', () => store.batch(batch)],
      ] as const) {
        await reachedAgain();
        wire.reset();
        expect(await rejected(ask())).toMatchObject({ type });
      }
    });

    test('that is known to be down fails calls at once, and is found again', async () => {
      await store.upsert(things, { _id: 'a' }, { $set: { size: 1 } });
      const { id } = await blobs.put(Buffer.from('content'));
      wire.refuse();
      const failure = async () => (await rejected(store.ping())).message;
      await eventually('word that it is down', failure, (message) => message.includes('document store'));
      const update = { $inc: { size: 1 } };
      const batch = [write.update(things, { _id: 'a' }, update), write.check(things, {}, 1)];
      const asks = [
        () => store.get(things, 'a'),
        () => store.count(things, {}),
        () => store.insert(things, { _id: 'never', size: 1 }),
        () => store.updateMany(things, {}, update),
        () => store.batch(batch),
      ];
      // Within the turn of the event loop: nothing is waited for.
      for (const ask of asks)
        expect(await Promise.race([rejected(ask()), turn('later')])).toMatchObject({ type: 'UNAVAILABLE' });
      expect(await rejected(blobs.read(id))).toMatchObject({ type: 'UNAVAILABLE' });
      wire.go();
      expect(await reachedAgain()).toMatchObject({ size: 1 });
      expect(await store.get(things, 'never')).toBeNull();
    });

    test('that breaks in the moment the driver writes to it is found again', async () => {
      const sockets: Socket[] = [];
      const gather = (message: unknown) => sockets.push((message as { socket: Socket }).socket);
      subscribe('net.client.socket', gather);
      const other = await openMongoStore({ url: through, database, callTimeout: 500 });
      unsubscribe('net.client.socket', gather);
      // What `write` of a destroyed socket does: it returns false, and 'drain' never comes.
      const monitor = sockets[0] as Socket;
      await new Promise<void>((done) => {
        monitor.write = () => {
          done();
          return false;
        };
      });
      wire.refuse();
      await rejected(other.get(things, 'a'));
      wire.go();
      await answered(() => other.get(things, 'a'));
      await other.close();
    });

    test('whose answer to a write is lost leaves its outcome unknown', async () => {
      const writes: [string, string, (id: string) => Promise<unknown>][] = [
        ['insert', 'faults_things', (_id) => store.insert(things, { _id, size: 1 })],
        ['upsert', 'faults_things', (_id) => store.upsert(things, { _id }, { $set: { size: 1 } })],
        ['batch of one', 'faults_things', (_id) => store.batch([write.insert(things, { _id, size: 1 })])],
        [
          'batch',
          'commitTransaction',
          (_id) => store.batch([write.insert(things, { _id, size: 1 }), write.check(things, { _id: 'a' }, 1)]),
        ],
      ];
      for (const [name, request, act] of writes) {
        await reachedAgain();
        wire.loseAnswer(request);
        const error = await rejected(act(name));
        wire.go();
        await reachedAgain();
        expect([name, error]).toMatchObject([name, { type: 'OUTCOME_UNKNOWN' }]);
        expect(await store.get(things, name)).toMatchObject({ size: 1 });
      }
    });

    test('whose answer within a batch is lost has changed nothing', async () => {
      wire.loseAnswer('faults_things');
      const inserts = ['one', 'two'].map((_id) => write.insert(things, { _id, size: 1 }));
      const error = await rejected(store.batch([...inserts, write.check(things, { _id: 'a' }, 1)]));
      wire.go();
      await reachedAgain();
      expect(error).toMatchObject({ type: 'UNAVAILABLE' });
      expect(await store.getMany(things, ['one', 'two'])).toEqual([]);
    });

    test('whose answer about a file is lost fails like any other', async () => {
      wire.loseAnswer('blobs.files');
      const error = await rejected(blobs.put(Buffer.from('lost')));
      expect(['UNAVAILABLE', 'OUTCOME_UNKNOWN']).toContain((error as { type?: string }).type);
      wire.go();
      await reachedAgain();
      await reachedAgain();
      const content = Buffer.alloc(600_000, 'x');
      const { id } = await blobs.put(content);
      const stream = await blobs.open(id);
      wire.refuse();
      expect(await rejected((stream as Readable).toArray())).toMatchObject({ type: 'UNAVAILABLE' });
    });

    test('that cuts connections gets reads again', async () => {
      await store.upsert(things, { _id: 'b' }, { $set: { size: 1 } });
      wire.cut();
      expect(await reachedAgain()).not.toBeNull();
    });

    test('that does not exist stops the start', async () => {
      const nobody = openMongoStore({ url: 'mongodb://127.0.0.1:9/?directConnection=true', callTimeout: 300 });
      await rejected(nobody);
    });
  });
else test.skip('a MongoDB in trouble (MONGODB_URL is not set)', () => {});

/** The driver finds the server again by its heartbeat. */
async function answered<T>(ask: () => Promise<T>): Promise<T> {
  const attempt = () =>
    ask().then(
      (answer) => ({ answer }),
      () => null,
    );
  return ((await eventually('an answer of the server', attempt)) as { answer: T }).answer;
}
