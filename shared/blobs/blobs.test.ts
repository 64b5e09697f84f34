import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { MongoClient } from 'mongodb';
import { openFolderBlobs } from './folder.js';
import { openMongoBlobs } from './mongodb.js';
import type { Blobs } from './port.js';

interface Opened {
  blobs: Blobs;
  /** Names of all that is kept, blob or not. */
  left(): Promise<number>;
  close(): Promise<void>;
}

const HOUR = 3600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR);
const some = (size = 100) => randomBytes(size);
// Jest compares bytes one by one.
const expectSame = (got: Buffer | null, wanted: Buffer) =>
  expect({ size: got?.length, same: got?.equals(wanted) }).toEqual({ size: wanted.length, same: true });
const shaOf = (content: Uint8Array) => createHash('sha256').update(content).digest('hex');

function blobSuite(name: string, start: () => Promise<Opened>): void {
  describe(name, () => {
    let opened: Opened;
    beforeAll(async () => {
      opened = await start();
    });
    afterAll(() => opened.close());

    const streamed = async (id: string, range?: { start: number; end: number }) => {
      const stream = await opened.blobs.open(id, range);
      return stream && buffer(stream);
    };

    test.each([0, 1, 255 * 1024, 255 * 1024 + 1, 3_000_000])('keep %i bytes under their SHA-256', async (size) => {
      const { blobs } = opened;
      const [whole, parts] = [some(size), some(size)];
      const id = shaOf(whole);
      expect(await blobs.put(whole)).toEqual({ id, size });
      expectSame(await blobs.read(id), whole);
      expectSame(await streamed(id), whole);
      expect(await blobs.size(id)).toBe(size);
      const halves = [parts.subarray(0, size / 2), parts.subarray(size / 2)];
      expect(await blobs.put(Readable.from(halves))).toEqual({ id: shaOf(parts), size });
      expectSame(await blobs.read(shaOf(parts)), parts);
    });

    test('return ranges, both ends inclusive', async () => {
      const content = some(600_000);
      const { id } = await opened.blobs.put(content);
      for (const [start, end] of [
        [0, 0],
        [10, 19],
        [261_000, 261_300],
        [0, 599_999],
        [599_990, 10 ** 9],
      ] as const)
        expectSame(await streamed(id, { start, end }), content.subarray(start, end + 1));
      expect(await streamed(id, { start: 600_000, end: 700_000 })).toHaveLength(0);
    });

    test('return null for an unknown id', async () => {
      const { blobs } = opened;
      for (const id of [shaOf(some()), '', '..', '../../etc/passwd', 'uploads', `upload/${randomUUID()}`]) {
        expect(await blobs.open(id)).toBeNull();
        expect(await blobs.read(id)).toBeNull();
        expect(await blobs.size(id)).toBeNull();
        await blobs.delete(id);
      }
    });

    test('accept the same content at once and again', async () => {
      const { blobs } = opened;
      const before = await opened.left();
      const content = some(300_000);
      const puts = Array.from({ length: 8 }, (_, n) => blobs.put(n % 2 ? content : Readable.from([content])));
      for (const put of await Promise.all(puts)) expect(put).toEqual({ id: shaOf(content), size: 300_000 });
      await blobs.put(content);
      expectSame(await blobs.read(shaOf(content)), content);
      expect(await opened.left()).toBe(before + 1);
    });

    test('keep nothing of an upload that breaks off', async () => {
      const before = await opened.left();
      async function* broken() {
        yield some(3_000_000);
        throw new Error('gone');
      }
      await expect(opened.blobs.put(broken())).rejects.toThrow('gone');
      expect(await opened.left()).toBe(before);
    });

    test('are gone after a delete, and may be put again', async () => {
      const { blobs } = opened;
      const content = some();
      const { id } = await blobs.put(content);
      await blobs.delete(id);
      await blobs.delete(id);
      expect(await blobs.read(id)).toBeNull();
      await blobs.put(content);
      expectSame(await blobs.read(id), content);
    });

    test('are gone when they expire', async () => {
      const { blobs } = opened;
      const before = await opened.left();
      const ids = [];
      for (const hours of [1, 2, 3]) ids.push((await blobs.put(some(), { expiresAt: inHours(hours) })).id);
      expect(await blobs.sweep(new Date())).toBe(0);
      expect(await blobs.sweep(inHours(2.5))).toBe(2);
      expect(await Promise.all(ids.map((id) => blobs.size(id)))).toEqual([null, null, 100]);
      expect(await blobs.sweep(inHours(4))).toBe(1);
      expect(await opened.left()).toBe(before);
    });

    test('live as long as the latest expiry of all puts', async () => {
      const { blobs } = opened;
      const [first, second] = [some(), some()];
      await blobs.put(first, { expiresAt: inHours(3) });
      const { id } = await blobs.put(first, { expiresAt: inHours(1) });
      expect(await blobs.sweep(inHours(2))).toBe(0);
      await blobs.put(first, { expiresAt: inHours(5) });
      expect(await blobs.sweep(inHours(4))).toBe(0);
      await blobs.put(Readable.from([first]));
      await blobs.put(first, { expiresAt: inHours(1) });
      await blobs.put(second);
      await blobs.put(Readable.from([second]), { expiresAt: inHours(1) });
      expect(await blobs.sweep(inHours(9))).toBe(0);
      expectSame(await blobs.read(id), first);
      expectSame(await blobs.read(shaOf(second)), second);
    });

    test('survive a sweep at the time of the put', async () => {
      const { blobs } = opened;
      for (let round = 0; round < 10; round++) {
        const content = some();
        const { id } = await blobs.put(content, { expiresAt: inHours(-1) });
        await Promise.all([blobs.sweep(new Date()), blobs.put(content)]);
        expectSame(await blobs.read(id), content);
      }
    });
  });
}

blobSuite('blobs in a folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'blobs-'));
  const left = async () =>
    (await readdir(folder, { recursive: true, withFileTypes: true })).filter((each) => each.isFile()).length;
  return { blobs: openFolderBlobs(folder), left, close: () => rm(folder, { recursive: true }) };
});

const url = process.env.MONGODB_URL;

if (url)
  blobSuite('blobs in GridFS', async () => {
    const database = `bindery_test_${randomUUID().slice(0, 8)}`;
    const client = new MongoClient(url);
    const blobs = await openMongoBlobs({ url, database });
    const db = client.db(database);
    const left = async () => {
      const whole = (await db.collection('blobs.chunks').distinct('files_id')).length;
      const rows = await db.collection('blobs.files').countDocuments({ length: { $gt: 0 } });
      expect(whole).toBe(rows);
      return rows;
    };
    const close = async () => {
      await blobs.close();
      await db.dropDatabase();
      await client.close();
    };
    return { blobs, left, close };
  });
else {
  console.warn('SKIPPED: blobs in GridFS are tested only when MONGODB_URL names a server');
  test.skip('blobs in GridFS (MONGODB_URL is not set)', () => {});
}
