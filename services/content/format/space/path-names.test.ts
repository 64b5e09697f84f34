import { decodeName, findKnownPath, nonUtf8PathsOf, pathBytes } from './path-names.js';
import { newFileFinder } from './paths.js';

const nfd = 'u\u0308ber/a\u0301.md';
const nfc = nfd.normalize('NFC');

test('a path is found however its letters are composed, and the one that is written so first', () => {
  expect(findKnownPath(new Set([nfd]), nfc)).toBe(nfd);
  expect(findKnownPath(new Map([[nfc, 1]]), nfd)).toBe(nfc);
  expect(findKnownPath(new Set([nfc, nfd]), nfd)).toBe(nfd);
  expect(findKnownPath(new Set([nfd]), 'uber/a.md')).toBeUndefined();
  expect(newFileFinder(new Set([nfd]))(nfc.replace('.md', ''))).toBe(nfd);
  expect(newFileFinder(new Set([nfd]))(nfc.toUpperCase())).toBe(nfd);
});

test('a name that is no UTF-8 has a text, and keeps its bytes', () => {
  const bytes = Buffer.concat([Buffer.from('é/'), Buffer.from('\xfcb\xc3.md', 'latin1')]);
  expect(decodeName(bytes)).toBe('é/%FCb%C3.md');
  expect(decodeName(Buffer.from(nfd))).toBe(nfd);
  const folder = Buffer.from('\xfc/a.md', 'latin1');
  const raw = new Map(nonUtf8PathsOf(folder));
  expect([...raw.keys()]).toEqual(['%FC/a.md', '%FC']);
  expect(pathBytes(raw, '%FC/a.md')).toEqual(folder);
  expect(pathBytes(raw, '%FC/new/é.md')).toEqual(Buffer.concat([Buffer.from([0xfc]), Buffer.from('/new/é.md')]));
  expect(pathBytes(raw, '%C3.md')).toEqual(Buffer.from('%C3.md'));
});
