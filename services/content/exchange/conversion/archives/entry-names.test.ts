import type { Entry } from 'yauzl';
import { decodeEntryNames } from './unpacked.js';

const [dos, unix] = [0x0014, 0x0314];
const latin = (text: string) => Buffer.from(text, 'latin1');

/** An entry as the reader gives it: it takes names that are not marked as UTF-8 for those of DOS. */
const entry = (
  fileNameRaw: Buffer,
  { flags = 0, madeBy = dos, fileName = `dos ${fileNameRaw.toString('hex')}` } = {},
) =>
  ({ fileNameRaw, fileName, generalPurposeBitFlag: flags, versionMadeBy: madeBy, extraFields: [] }) as unknown as Entry;

describe('the name of an entry', () => {
  it.each([
    ['is what it is marked as', [entry(Buffer.from('ü.md'), { flags: 0x800, fileName: 'ü.md' })], ['ü.md']],
    ['is UTF-8 without the mark, as macOS writes it', [entry(Buffer.from('u\u0308/ü.md'))], ['u\u0308/ü.md']],
    ['is that of DOS', [entry(latin('\x81ber.md'), { fileName: 'über.md' })], ['über.md']],
    ['is that of Western Europe from Unix', [entry(latin('über.md'), { madeBy: unix })], ['über.md']],
    [
      'is Japanese where the archive has a word of it',
      // 日本.md, and ソ.md, whose last byte is a backslash
      [entry(latin('\x93\xfa\x96\x7b.md')), entry(latin('\x83\x5c.md'))],
      ['日本.md', 'ソ.md'],
    ],
    [
      'is not Japanese for an accent before another letter',
      [entry(latin('sch\x94n.md'), { fileName: 'schön.md' }), entry(latin('a.md'), { fileName: 'a.md' })],
      ['schön.md', 'a.md'],
    ],
  ])('%s', (_, entries, names) => {
    expect(decodeEntryNames(entries)).toEqual(names);
  });
});
