import { check, type Files, font, sound, toLine, without } from '../../../../../test/support/sound-archive.js';
import { webFont } from '../../../../../test/support/uploads.js';

const withFont = (changed: object): Files => ({ ...sound, 'fonts.ndjson': toLine({ ...font, ...changed }) });
const withFaces = (...faces: object[]): Files => withFont({ faces });
const regular = { weight: 400, format: 'woff2' };

describe('an archive with fonts', () => {
  it.each<[string, Files, string]>([
    ['lacks a file', without('fonts/font/400.woff2'), 'fonts.ndjson line 1: faces: fonts/font/400.woff2 is missing'],
    [
      'has a file that is no font',
      { ...sound, 'fonts/font/400.woff2': '<svg/>' },
      'fonts/font/400.woff2: must be a font of the format woff2',
    ],
    [
      'has a file of another format',
      { ...sound, 'fonts/font/400.woff2': webFont('woff') },
      'fonts/font/400.woff2: must be a font of the format woff2',
    ],
    [
      'has a large file',
      { ...sound, 'fonts/font/400.woff2': Buffer.alloc(10_000_001) },
      'fonts/font/400.woff2: has more than 10000000 bytes',
    ],
    ['has a file of no font', { ...sound, 'fonts/font/700.woff2': webFont('woff2') }, '700.woff2: is no file of an'],
    ['has a font with an id that is a path', withFont({ id: '../font' }), 'fonts.ndjson line 1: id: must be an id'],
    ['has a name that is a style', withFont({ fontFamily: '";}' }), 'fonts.ndjson line 1: fontFamily: must be letters'],
    ['lacks the weight 400', withFaces({ weight: 700, format: 'woff2' }), 'must have a file of the weight 400'],
    ['has a face twice', withFaces(regular, regular), 'another file of the format woff2'],
    [
      'has faces without order',
      withFaces({ weight: 700, format: 'woff2' }, regular),
      'faces: must be in the order of weights and formats',
    ],
    ['has a blob of its own choice', withFaces({ ...regular, blob: 'a' }), 'unknown field'],
  ])('is refused that %s', async (_, archive, message) => {
    await expect(check(archive)).rejects.toThrow(message);
  });
});
