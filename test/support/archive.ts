import { fromBufferPromise } from 'yauzl';
import { eventually } from '../../shared/testing/eventually.js';
import type { Client } from './server.js';

/** Exports an organization; waits for the end, and gives the export. */
export async function exported(client: Client, organization: string): Promise<any> {
  const { status, body } = await client.post(`/v1/orgs/${organization}/export`);
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
  return eventually(
    'the end of an export',
    async () => (await client.get(new URL(body.urls.location).pathname)).body,
    ({ state }) => state !== 'pending' && state !== 'in-progress',
  );
}

/** The bytes of an export that has ended. */
export async function download({ urls }: any): Promise<Buffer> {
  const answer = await fetch(urls.download);
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
  return Buffer.from(await answer.arrayBuffer());
}

/** The files of a ZIP archive, by their paths in their order. */
export async function unzip(bytes: Buffer): Promise<Map<string, Buffer>> {
  const zip = await fromBufferPromise(bytes, { lazyEntries: true });
  const files = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry()) {
    const pieces: Buffer[] = [];
    for await (const piece of await zip.openReadStreamPromise(entry)) pieces.push(piece as Buffer);
    files.set(entry.fileName, Buffer.concat(pieces));
  }
  return files;
}

/** The values of a file of lines of JSON. */
export const linesOf = (files: ReadonlyMap<string, Buffer>, path: string): any[] =>
  String(files.get(path))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

/** Names the files that differ: the bytes of archives would fill the screen. */
export async function expectEqual(one: Buffer, other: Buffer): Promise<void> {
  if (one.equals(other)) return;
  const [before, after] = [await unzip(one), await unzip(other)];
  for (const path of new Set([...before.keys(), ...after.keys()]))
    expect({ path, content: String(after.get(path)) }).toEqual({ path, content: String(before.get(path)) });
  expect([...after.keys()]).toEqual([...before.keys()]);
}
