import { isDiskFull } from './full.js';

describe('a full disk', () => {
  it.each(['ENOSPC', 'EDQUOT', 'SQLITE_FULL', 14031])(
    'is known by the code %s, also as the cause of an error',
    (code) => {
      const error = Object.assign(new Error('no room'), { code });
      expect(isDiskFull(error)).toBe(true);
      expect(isDiskFull(new Error('failed', { cause: error }))).toBe(true);
    },
  );

  it.each(['ENOENT', 'SQLITE_BUSY', 11000, undefined])('is not meant by %s', (code) => {
    expect(isDiskFull(Object.assign(new Error('other'), { code }))).toBe(false);
  });
});
