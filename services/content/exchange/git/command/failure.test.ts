import { errorWordsOf, recognizeRejection } from './failure.js';

describe('the error output of git', () => {
  it('come without progress, and without what a URL hides', () => {
    const stderr =
      'remote: Counting objects:  50% (1/2)\rReceiving objects: 100% (2/2)\n' +
      "fatal: unable to access 'https://ada:s3cret@host/docs.git?token=abc#d': s3cret failed\n";
    expect(errorWordsOf(stderr, ['ada', 's3cret'])).toBe("fatal: unable to access 'https://host/docs.git': *** failed");
  });

  it('are bounded, and print nothing but text', () => {
    expect(errorWordsOf(`${'x'.repeat(5000)}\u001b[31mend`)).toMatch(/^x{990,} \[31mend$/);
    expect(errorWordsOf('x'.repeat(5000))).toHaveLength(1000);
  });
});

describe('a push that is refused', () => {
  const refused = (reason: string) => `To https://host/docs.git\n!\tabc:refs/heads/main\t${reason}\nDone\n`;

  it('says why in the words of the remote, without secrets', () => {
    const porcelain = refused('[remote rejected] (s3cret is not welcome)');
    const stderr = 'remote: ask ada, not s3cret\nerror: failed to push\n';
    const failure = recognizeRejection({ porcelain, stderr }, ['ada', 's3cret']);
    expect(failure?.reason).toBe('rejected');
    expect(failure?.message).toBe('the repository refused the push: *** is not welcome; it says: ask ***, not ***');
  });

  it.each([
    '[rejected] (fetch first)',
    '[remote rejected] (cannot lock ref)',
    '[remote rejected] (incorrect old value)',
  ])('because the branch moved is told apart: %s', (reason) => {
    expect(recognizeRejection({ porcelain: refused(reason), stderr: '' }, [])?.reason).toBe('moved');
  });

  it('is none without an answer', () => {
    expect(recognizeRejection({ porcelain: '', stderr: 'fatal: early EOF' }, [])).toBeUndefined();
  });
});
