import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { openFolderBlobs } from '../../../shared/blobs/folder.js';
import { createOutbound } from '../../../shared/outbound/client.js';
import { openSqliteStore } from '../../../shared/store/sqlite/store.js';
import { eventually } from '../../../shared/testing/eventually.js';
import { HeldBytes } from '../../../shared/work/held-bytes.js';
import { contentCollections } from '../dependencies.js';
import { Ledger } from '../storage/ledger.js';
import type { Change } from './content-draft.js';
import { storeInsertedFiles } from './inserted-files.js';

it('counts files while they are fetched and unpacked, for each organization', async () => {
  const packed = gzipSync(Buffer.alloc(600_000));
  let held: ServerResponse | undefined;
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'text/plain' });
    if (request.url === '/whole') return response.end(packed);
    response.write(packed);
    held = response;
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const folder = await mkdtemp(join(tmpdir(), 'bindery-inserted-'));
  const store = await openSqliteStore({ path: join(folder, 'store.sqlite') });
  await store.prepare(contentCollections);
  const allowCidrs = ['127.0.0.1/32'];
  const outbound = createOutbound({ allowCidrs });
  const fetchedFiles = new HeldBytes({ ofOwner: 1_000_000, ofAll: 10_000_000 });
  const ledger = new Ledger(store, openFolderBlobs(join(folder, 'blobs')), 0);
  const insert = async (organization: string, path: string) => {
    const owner = { organization, space: `space-of-${organization}` };
    await ledger.open(owner);
    const files = [{ name: 'a.txt', url: `http://127.0.0.1:${port}${path}` }];
    const change = { operation: 'insert_files', files } as unknown as Change;
    // No file is an image.
    const work = undefined as never;
    const made = await storeInsertedFiles({ ledger, work, outbound, fetchedFiles, allowCidrs }, owner, [change]);
    return made.get(0)?.[0]?.entry.size;
  };

  const first = insert('acme', '/half');
  await eventually('the first file', () => fetchedFiles.heldBy('acme') === 600_000);
  await expect(insert('acme', '/whole')).rejects.toMatchObject({ type: 'UNAVAILABLE' });
  expect(await insert('other', '/whole')).toBe(600_000);
  held?.end();
  expect([await first, await insert('acme', '/whole')]).toEqual([600_000, 600_000]);
  expect(fetchedFiles.heldBy('acme')).toBe(0);

  server.closeAllConnections();
  server.close();
  await Promise.all([outbound.close(), store.close()]);
  await rm(folder, { recursive: true });
});
