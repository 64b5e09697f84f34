import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFolderBlobs } from '../blobs/folder.js';
import type { Blobs } from '../blobs/port.js';
import { Encoded } from '../contract/encoded.js';
import { EncodedAnswers } from './messages.js';

let folder: string;
let puts: number;
let reads: number;
let blobs: Blobs;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindery-messages-'));
  const kept = openFolderBlobs(folder);
  [puts, reads] = [0, 0];
  blobs = Object.assign(Object.create(kept), {
    put: (...given: Parameters<Blobs['put']>) => {
      puts += 1;
      return kept.put(...given);
    },
    read: (id: string) => {
      reads += 1;
      return kept.read(id);
    },
  });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const travel = async (sender: EncodedAnswers, receiver: EncodedAnswers, payload: { data?: unknown }) => {
  const message = sender.serialize(payload);
  await sender.storeLargeAnswer(payload);
  return { message, arrived: await receiver.readWithAnswer(message, () => receiver.deserialize(message)) };
};

it('an encoded answer travels as it is, the rest of its packet as JSON', async () => {
  const [sender, receiver] = [new EncodedAnswers(blobs), new EncodedAnswers(blobs)];
  const data = Encoded.of({ title: 'Ä\n', nested: [1, null] });
  const { message, arrived } = await travel(sender, receiver, { id: '1', success: true, data } as object);
  expect(arrived).toEqual({ id: '1', success: true, data: expect.any(Encoded) });
  const answer = arrived.data as Encoded;
  expect([answer.decode(), answer.name]).toEqual([data.decode(), data.name]);
  expect(message.includes(data.bytes)).toBe(true);
  expect([puts, reads]).toEqual([0, 0]);
});

it('other messages are JSON', async () => {
  const [sender, receiver] = [new EncodedAnswers(blobs), new EncodedAnswers(blobs)];
  const payload = { id: '2', data: { text: 'x'.repeat(100), bytes: [1] } };
  expect((await travel(sender, receiver, payload)).arrived).toEqual(payload);
});

it('a large answer is stored and fetched once, whatever the number of messages, and its bytes are shared', async () => {
  const [sender, receiver] = [new EncodedAnswers(blobs), new EncodedAnswers(blobs)];
  const data = Encoded.of({ text: 'ä'.repeat(200_000) });
  const travelled = await Promise.all(
    ['1', '2', '3'].map((id) => travel(sender, receiver, { id, data } as { data: unknown })),
  );
  expect(travelled.map(({ message }) => message.length < 500)).toEqual([true, true, true]);
  expect(travelled.map(({ arrived }) => (arrived as { id?: string }).id)).toEqual(['1', '2', '3']);
  const [first, ...others] = travelled.map(({ arrived }) => (arrived.data as Encoded).bytes);
  expect(first?.equals(data.bytes)).toBe(true);
  expect(others.every((bytes) => bytes === first)).toBe(true);
  expect([puts, reads]).toEqual([1, 1]);
});

it('a large answer whose blob has expired is an error of this call alone', async () => {
  const [sender, receiver] = [new EncodedAnswers(blobs), new EncodedAnswers(blobs)];
  const message = sender.serialize({ data: Encoded.of('y'.repeat(300_000)) });
  await expect(receiver.readWithAnswer(message, () => receiver.deserialize(message))).rejects.toMatchObject({
    code: 503,
  });
  expect(receiver.deserialize(sender.serialize({ data: 1 }))).toEqual({ data: 1 });
});
