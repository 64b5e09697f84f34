import { createHash } from 'node:crypto';
import { fromBufferPromise } from 'yauzl';
import { type ArchiveEntry, zipBytes } from '../../../../../shared/zip/zip-stream.js';
import { withSums } from './sums.js';

async function* entriesOf(files: Record<string, string>): AsyncGenerator<ArchiveEntry> {
  for (const [path, text] of Object.entries(files)) yield { path, content: Buffer.from(text) };
}

async function bytesOf(entries: AsyncIterable<ArchiveEntry>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of zipBytes(entries)) pieces.push(piece);
  return Buffer.concat(pieces);
}

const files = { 'a.txt': 'a', 'empty.md': '', 'ü/日本.md': 'text\n'.repeat(50_000) };
const none = () => undefined;

describe('the bytes of an archive', () => {
  it('are the same for the same files, with checksums at the end', async () => {
    const bytes = await bytesOf(withSums(entriesOf(files), none));
    expect(await bytesOf(withSums(entriesOf(files), none))).toEqual(bytes);
    const zip = await fromBufferPromise(bytes, { lazyEntries: true });
    const read: Record<string, string> = {};
    for await (const entry of zip.eachEntry()) {
      read[entry.fileName] = '';
      for await (const piece of await zip.openReadStreamPromise(entry)) read[entry.fileName] += String(piece);
    }
    const { SHA256SUMS, ...others } = read;
    expect(others).toEqual(files);
    const sumOf = (text: string) => createHash('sha256').update(text).digest('hex');
    expect(SHA256SUMS).toBe(
      Object.entries(files)
        .map(([path, text]) => `${sumOf(text)}  ${path}\n`)
        .join(''),
    );
  });

  it('end with the error of an entry, or of who counts', async () => {
    async function* failing(): AsyncGenerator<ArchiveEntry> {
      yield* entriesOf(files);
      throw new Error('no more');
    }
    async function* broken(): AsyncGenerator<Buffer> {
      yield Buffer.from('a');
      throw new Error('cut off');
    }
    async function* holding(): AsyncGenerator<ArchiveEntry> {
      yield { path: 'a', content: broken() };
    }
    await expect(bytesOf(failing())).rejects.toThrow('no more');
    await expect(bytesOf(holding())).rejects.toThrow('cut off');
    const full = () => {
      throw new Error('full');
    };
    await expect(bytesOf(withSums(entriesOf(files), full))).rejects.toThrow('full');
  });

  it('ask for nothing more when nobody reads them', async () => {
    let [asked, ended] = [0, false];
    async function* endless(): AsyncGenerator<ArchiveEntry> {
      try {
        for (;;) yield { path: `${asked++}`, content: Buffer.alloc(100_000) };
      } finally {
        ended = true;
      }
    }
    for await (const _ of zipBytes(endless())) break;
    expect(ended).toBe(true);
  });
});
