import { treeURLOf } from './tree-url.js';

const ref = 'refs/heads/release/2#x';

describe('the address of the files of a repository', () => {
  it.each([
    ['https://github.com/acme/docs.git', 'https://github.com/acme/docs/tree/release/2%23x'],
    ['https://github.com/acme/docs/', 'https://github.com/acme/docs/tree/release/2%23x'],
    ['https://gitlab.com/acme/team/docs.git', 'https://gitlab.com/acme/team/docs/-/tree/release/2%23x'],
    ['https://bitbucket.org/acme/docs', 'https://bitbucket.org/acme/docs/src/release/2%23x'],
    ['https://codeberg.org/acme/docs.git', 'https://codeberg.org/acme/docs/src/branch/release/2%23x'],
    ['https://github.com/acme/docs.git?token=secret#x', 'https://github.com/acme/docs/tree/release/2%23x'],
    ['https://token@github.com/acme/docs.git', undefined],
    ['https://git.example.com/acme/docs.git', undefined],
    ['https://github.com/acme', undefined],
  ])('of %s is %s', (url, expected) => {
    expect(treeURLOf({ url, ref })).toBe(expected);
  });

  it('is the one that the caller names', () => {
    const url = 'https://token@github.com/acme/docs.git';
    const gitInfo = { url: 'https://github.com/acme/docs/tree/main' };
    expect(treeURLOf({ url, ref, gitInfo })).toBe('https://github.com/acme/docs/tree/main');
    expect(treeURLOf({ url, ref, gitInfo: { url: 'https://github.com/acme/docs' } })).toBe(
      'https://github.com/acme/docs/tree/release/2%23x',
    );
    expect(treeURLOf({ url, ref, gitInfo: { url: 'https://gitlab.com/a/b/-/tree/main' } })).toBe(
      'https://gitlab.com/a/b/-/tree/main',
    );
    expect(treeURLOf({ url, ref, gitInfo, repoTreeURL: 'https://git.example.com/tree' })).toBe(
      'https://git.example.com/tree',
    );
  });
});
