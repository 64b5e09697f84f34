import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFolderBlobs } from './blobs/folder.js';
import { Encoded } from './contract/encoded.js';
import { sha256, sha256InSlices } from './ids.js';

const mebibyte = 1024 * 1024;

/** Milliseconds of the longest time during work in which nothing else ran. */
async function longestStretch(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  const note = () => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  };
  let turn = setImmediate(function next() {
    note();
    turn = setImmediate(next);
  });
  await work();
  note();
  clearImmediate(turn);
  return longest;
}

test.each([0, 1, mebibyte, mebibyte + 1, 3 * mebibyte])('the hash of %i bytes is the same in slices', async (size) => {
  const content = randomBytes(size);
  expect(await sha256InSlices(content)).toBe(sha256(content));
});

test('other work gets its turn while large content is hashed to be stored or sent', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bindery-hashes-'));
  const blobs = openFolderBlobs(folder);
  const content = randomBytes(96 * mebibyte);
  const atOnce = await longestStretch(async () => sha256(content));
  await blobs.put(content);
  expect(await longestStretch(() => blobs.put(content))).toBeLessThan(atOnce / 2);
  expect(await longestStretch(async () => (await Encoded.named(content)).name)).toBeLessThan(atOnce / 2);
  await rm(folder, { recursive: true });
});
