import { bytesInSlices } from './given-source.js';

describe('the bytes of a text', () => {
  it.each([
    ['no text', ''],
    ['a short text', 'Grüße'],
    ['a long text', 'lettered '.repeat(100_000)],
    ['a text of characters of two halves', `${'a'.repeat(256 * 1024 - 1)}${'😀'.repeat(300_000)}`],
    ['a text of half characters', `${'a'.repeat(256 * 1024 - 1)}\ud83d${'\ude00'.repeat(300_000)}`],
  ])('%s', async (_, text) => {
    expect((await bytesInSlices(text)).equals(Buffer.from(text))).toBe(true);
  });
});
