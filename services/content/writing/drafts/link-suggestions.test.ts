import type { Caller } from '../../../../shared/contract/caller.js';
import { importedSpace } from '../../exchange/imports/testing/imported-space.js';
import { suggestLinks } from './link-suggestions.js';

const { organization, space, opened, user, importFiles } = importedSpace();

const suggest = async (query: string, caller: Caller = user) =>
  (await suggestLinks(opened.deps, { space, query }, { caller })).map((each) =>
    each.kind === 'page' ? each.title : `${each.name} ${each.isImage}`,
  );

it('finds pages and files by all words of a query, those that begin with it first', async () => {
  const pages = { 'a.md': '# Old install\n', 'b.md': '# Installing crème\n', 'more/colours.md': '# Other\n' };
  const summary =
    '* [Home](README.md)\n* [Old install](a.md)\n* [Installing crème](b.md)\n* [Other](more/colours.md)\n';
  const shown = '![](install.png) [x](install.pdf)\n';
  const files = { 'install.png': 'x', 'install.pdf': 'x', 'README.md': `# Home\n\n${shown}` };
  await importFiles({ ...pages, ...files, 'SUMMARY.md': summary });
  expect(await suggest('install')).toEqual([
    'Installing crème',
    'install.pdf false',
    'install.png true',
    'Old install',
  ]);
  expect(await suggest('CREME inst')).toEqual(['Installing crème']);
  expect(await suggest('other colours')).toEqual(['Other']);
  expect(await suggest('')).toEqual(['Home', 'Old install', 'Installing crème', 'Other']);
  expect(await suggest('wombat')).toEqual([]);
  expect(await suggest('x '.repeat(5000))).toEqual([]);
});

it('is for those who may edit the space', async () => {
  const memberships = { [organization]: { role: 'read', teams: [], owned: [] } };
  const reader: Caller = { kind: 'user', user: 'bob', token: 't', memberships };
  await expect(suggest('', reader)).rejects.toMatchObject({ type: 'FORBIDDEN' });
});
