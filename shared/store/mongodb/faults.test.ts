import { randomUUID } from 'node:crypto';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { MongoClient } from 'mongodb';
import { collection, type Document, type Store, write } from '../port.js';
import { openMongoStore } from './store.js';

const url = process.env.MONGODB_URL;

interface Thing extends Document {
  size: number;
}

const things = collection<Thing>('faults_things', [{ on: { size: 1 } }]);

/** Stands between store and server: `hang` keeps connections open and silent, `go` lets all pass again. */
class Wire {
  readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private silent = false;

  constructor(host: string, port: number) {
    this.server = createServer((near) => {
      const far = connect(port, host);
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        this.sockets.add(from);
        from.pipe(to);
        from.on('error', () => to.destroy());
        from.on('close', () => {
          this.sockets.delete(from);
          to.destroy();
        });
      }
      if (this.silent) this.hang();
    });
  }

  async listen(): Promise<number> {
    await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done));
    return (this.server.address() as { port: number }).port;
  }

  hang(): void {
    this.silent = true;
    for (const socket of this.sockets) socket.unpipe();
    for (const socket of this.sockets) socket.pause();
  }

  go(): void {
    this.silent = false;
    this.cut();
  }

  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async close(): Promise<void> {
    const closed = new Promise((done) => this.server.close(done));
    this.cut();
    await closed;
  }
}

async function rejectedWithin(ms: number, work: Promise<unknown>): Promise<unknown> {
  const start = performance.now();
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Error);
  expect(performance.now() - start).toBeLessThan(ms);
  return error;
}

if (url)
  describe('a MongoDB in trouble', () => {
    const database = `bindery_test_${randomUUID().slice(0, 8)}`;
    const { hostname, port } = new URL(url.split(',', 1)[0] ?? url);
    let wire: Wire;
    let store: Store;

    beforeAll(async () => {
      wire = new Wire(hostname, Number(port || 27017));
      const through = `mongodb://127.0.0.1:${await wire.listen()}/?directConnection=true`;
      store = await openMongoStore({ url: through, database, callTimeout: 1_500 });
      await store.prepare([things as never]);
    });
    afterAll(async () => {
      await store.close();
      await wire.close();
      const client = new MongoClient(url);
      await client.db(database).dropDatabase();
      await client.close();
    });

    test('that hangs holds nobody up, and serves again', async () => {
      await store.insert(things, { _id: 'a', size: 1 });
      wire.hang();
      const unknown = { type: 'OUTCOME_UNKNOWN' };
      const update = { $inc: { size: 1 } };
      const [ping, get, page, change, batch, behind] = await Promise.all([
        rejectedWithin(2_500, store.ping()),
        rejectedWithin(2_500, store.get(things, 'a')),
        rejectedWithin(2_500, store.page(things, { filter: {}, sort: { size: 1 }, limit: 5 })),
        rejectedWithin(2_500, store.updateMany(things, {}, update)),
        rejectedWithin(2_500, store.batch([write.update(things, { _id: 'a' }, update), write.check(things, {}, 1)])),
        rejectedWithin(2_500, store.batch([write.update(things, { _id: 'a' }, update), write.check(things, {}, 1)])),
      ]);
      expect([get, page]).toMatchObject([{ type: 'UNAVAILABLE' }, { type: 'UNAVAILABLE' }]);
      expect([change, batch]).toMatchObject([unknown, unknown]);
      expect(ping).toBeInstanceOf(Error);
      expect(behind).toMatchObject({ type: 'UNAVAILABLE' });
      wire.go();
      await expect(reachedAgain(store)).resolves.toMatchObject({ _id: 'a' });
    });

    test('that cuts connections is asked again', async () => {
      await store.upsert(things, { _id: 'b' }, { $set: { size: 1 } });
      wire.cut();
      expect(await reachedAgain(store)).not.toBeNull();
    });

    test('that is not there stops the start', async () => {
      const nobody = openMongoStore({ url: 'mongodb://127.0.0.1:9/?directConnection=true', callTimeout: 300 });
      await rejectedWithin(2_000, nobody);
    });
  });
else test.skip('a MongoDB in trouble (MONGODB_URL is not set)', () => {});

/** The driver finds the server back by its own heartbeat. */
async function reachedAgain(store: Store): Promise<Thing | null> {
  for (let tries = 0; ; tries++) {
    try {
      return await store.get(things, 'a');
    } catch (error) {
      if (tries > 10) throw error;
    }
  }
}
