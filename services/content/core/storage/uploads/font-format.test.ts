import { fontFormatOf } from './font-format.js';

const web = (signature: string, size: number) =>
  Buffer.concat([Buffer.from(signature), Buffer.from([0, 1, 0, 0]), Buffer.from([0, 0, size >> 8, size & 0xff])]);
const sfnt = (signature: string, tables: number) =>
  Buffer.concat([Buffer.from(signature, 'latin1'), Buffer.from([0, tables, 0, 0, 0, 0, 0, 0])]);

it.each<[string, Buffer, number, string | null]>([
  ['WOFF2 of its length', web('wOF2', 400), 400, 'woff2'],
  ['WOFF of its length', web('wOFF', 400), 400, 'woff'],
  ['WOFF2 that is cut off', web('wOF2', 400), 399, null],
  ['TrueType', sfnt('\0\u0001\0\0', 9), 400, 'ttf'],
  ['TrueType of Apple', sfnt('true', 9), 400, 'ttf'],
  ['OpenType', sfnt('OTTO', 9), 400, 'otf'],
  ['OpenType without room for its tables', sfnt('OTTO', 99), 400, null],
  ['OpenType without tables', sfnt('OTTO', 0), 400, null],
  ['a page', Buffer.from('<!doctype html>'), 400, null],
  ['almost nothing', Buffer.from('wOF2'), 4, null],
])('%s is told by its bytes', (_, header, size, format) => {
  expect(fontFormatOf(header, size)).toBe(format);
});
