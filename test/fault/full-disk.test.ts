import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, open, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFolderBlobs } from '../../shared/blobs/folder.js';
import { collection, type Document, type Store } from '../../shared/store/port.js';
import { openSqliteStore } from '../../shared/store/sqlite/store.js';
import { eventually } from '../../shared/testing/eventually.js';
import { newOrganization } from '../support/fixtures.js';
import { type StartedServer, startServer } from '../support/server.js';

const disk = await mkdtemp(join(tmpdir(), 'bindery-disk-'));
const mounted = mount();
if (!mounted) console.warn('SKIPPED: full disks; only root may mount one');
const whereMounted = mounted ? describe : describe.skip;
afterAll(async () => {
  if (mounted) execFileSync('umount', ['--lazy', disk]);
  await rm(disk, { recursive: true, force: true });
});

function mount(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=128m', 'tmpfs', disk], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const ballast = join(disk, 'ballast');

/** Fills the disk until `left` bytes are free. */
async function fill(left: number): Promise<void> {
  const file = await open(ballast, 'a');
  try {
    for (;;) {
      const { bavail, bsize } = await statfs(disk);
      const bytes = Math.min(1024 ** 2, bavail * bsize - left);
      if (bytes <= 0) return;
      await file.write(Buffer.alloc(bytes));
    }
  } finally {
    await file.close();
  }
}

const empty = () => rm(ballast, { force: true });

whereMounted('the embedded store on a full disk', () => {
  interface Thing extends Document {
    text: string;
  }
  const things = collection<Thing>('things');
  let store: Store;
  beforeAll(async () => {
    await mkdir(join(disk, 'store'));
    store = await openSqliteStore({ path: join(disk, 'store', 'store.sqlite') });
    await store.prepare([things as never]);
  });
  afterAll(async () => {
    await empty();
    await store.close();
    await rm(join(disk, 'store'), { recursive: true });
  });

  it('refuses writes with UNAVAILABLE, keeps what it acknowledged, reads on, and recovers', async () => {
    await fill(2 * 1024 ** 2);
    const kept: string[] = [];
    let refused: unknown;
    for (let n = 0; !refused && n < 1000; n++) {
      const _id = String(n);
      await store.insert(things, { _id, text: 'x'.repeat(100_000) }).then(
        () => kept.push(_id),
        (error) => {
          refused = error;
        },
      );
    }
    expect(refused).toMatchObject({
      type: 'UNAVAILABLE',
      message: expect.stringContaining('full'),
      data: { reason: 'disk_full' },
    });
    const together = Array.from({ length: 5 }, (_, n) => ({ _id: `together ${n}`, text: 'x'.repeat(100_000) }));
    await expect(store.insertMany(things, together)).rejects.toMatchObject({ type: 'UNAVAILABLE' });
    await expect(store.ping()).rejects.toMatchObject({ type: 'UNAVAILABLE' });
    const { items } = await store.page(things, { filter: {}, sort: {}, limit: 1000, fields: ['_id'] });
    expect(items.map(({ _id }) => _id).sort()).toEqual(kept.sort());
    await empty();
    await store.ping();
    await store.insertMany(things, together);
    expect(await store.count(things, {})).toBe(kept.length + together.length);
  });

  it('refuses blobs with UNAVAILABLE, and leaves nothing of them', async () => {
    const blobs = openFolderBlobs(join(disk, 'store', 'blobs'));
    await fill(256 * 1024);
    await expect(blobs.put(Buffer.alloc(1024 ** 2, 'x'))).rejects.toMatchObject({ type: 'UNAVAILABLE' });
    const { bavail, bsize } = await statfs(disk);
    expect(bavail * bsize).toBeGreaterThan(128 * 1024);
    await empty();
    const { id } = await blobs.put(Buffer.alloc(1024 ** 2, 'x'));
    expect(await blobs.size(id)).toBe(1024 ** 2);
  });
});

whereMounted('a server on a full disk', () => {
  let server: StartedServer;
  let organization: string;
  beforeAll(async () => {
    const dataDir = join(disk, 'data');
    await mkdir(dataDir);
    server = await startServer({ dataDir });
    await handbookImported();
    organization = await newOrganization(server);
  });
  /** Else its import takes what is left of the disk. */
  const handbookImported = async () => {
    const [first] = (await server.get('/v1/orgs')).body.items;
    const spaces = async () => (await server.get(`/v1/orgs/${first.id}/spaces`)).body.items;
    const [handbook] = await eventually('the handbook', spaces, ({ length }) => length > 0);
    const search = () => server.get(`/v1/spaces/${handbook.id}/search?query=bindery`);
    await eventually('the handbook in a search', search, ({ body }) => body.items.length > 0);
  };
  afterAll(async () => {
    await empty();
    if (server.process.exitCode === null) await server.kill();
  });

  const ready = () => server.get('/readyz', { token: null });
  const make = (title: string) => server.post(`/v1/orgs/${organization}/spaces`, { title });

  it('answers writes with 503, loses no acknowledged one, reads on, says so, and recovers', async () => {
    const made: string[] = [];
    const statuses = new Set<number>();
    let filling = true;
    const writing = (async () => {
      while (filling || !statuses.has(503)) {
        const { status, body } = await make('while it fills');
        statuses.add(status);
        if (status === 201) made.push(body.id);
      }
    })();
    await eventually('a space', () => made.length);
    // Within the reserve, with room for what is written until the server notices.
    await fill(6_300_000);
    filling = false;
    await writing;
    expect([...statuses].sort()).toEqual([201, 503]);
    const refused = await make('too late');
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(refused.body.error).toEqual({ code: 503, message: expect.stringContaining('full'), reason: 'disk_full' });
    const unready = await ready();
    expect(unready.status).toBe(503);
    expect(unready.body.services.content).toMatch(/DATA_DIR is full/);
    for (const id of made) expect((await server.get(`/v1/spaces/${id}`)).status).toBe(200);
    // The reserve is there for what makes room.
    expect((await server.delete(`/v1/spaces/${made[0]}`)).status).toBeLessThan(300);

    await fill(0);
    for (const id of made) expect((await server.get(`/v1/spaces/${id}`)).status).toBe(200);
    expect((await server.get('/healthz', { token: null })).status).toBe(200);

    await empty();
    await eventually('readiness', ready, ({ status }) => status === 200);
    expect((await make('again')).status).toBe(201);
  });

  it('stops in order', async () => {
    await fill(0);
    expect(await server.stop()).toBe(0);
    await empty();
    server = await startServer({ dataDir: server.dataDir });
    expect((await make('after it')).status).toBe(201);
  });
});
