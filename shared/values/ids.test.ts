import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFolderBlobs } from '../blobs/folder.js';
import { Encoded } from '../contract/encoded.js';
import { expectTurns } from '../testing/processor-time.js';
import { sha256, sha256InSlices } from './ids.js';

const mebibyte = 1024 * 1024;

test.each([0, 1, mebibyte, mebibyte + 1, 3 * mebibyte])('the hash of %i bytes is the same in slices', async (size) => {
  const content = randomBytes(size);
  expect(await sha256InSlices(content)).toBe(sha256(content));
});

test('other work gets its turn while large content is hashed to be stored or sent', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bindery-hashes-'));
  const blobs = openFolderBlobs(folder);
  const content = randomBytes(48 * mebibyte);
  await blobs.put(content);
  await expectTurns(() => blobs.put(content));
  await expectTurns(async () => (await Encoded.ofNamedBytes(content)).name);
  await rm(folder, { recursive: true });
});
