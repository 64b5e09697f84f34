import { wordsOf } from './failure.js';

describe('the error output of git', () => {
  it('come without progress, and without what a URL hides', () => {
    const stderr =
      'remote: Counting objects:  50% (1/2)\rReceiving objects: 100% (2/2)\n' +
      "fatal: unable to access 'https://ada:s3cret@host/docs.git?token=abc#d': s3cret failed\n";
    expect(wordsOf(stderr, ['ada', 's3cret'])).toBe("fatal: unable to access 'https://host/docs.git': *** failed");
  });

  it('are bounded, and print nothing but text', () => {
    expect(wordsOf(`${'x'.repeat(5000)}\u001b[31mend`)).toMatch(/^x{990,} \[31mend$/);
    expect(wordsOf('x'.repeat(5000))).toHaveLength(1000);
  });
});
