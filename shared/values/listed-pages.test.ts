import { listedPages } from './listed-pages.js';

interface Entry {
  title: string;
  kind: 'page' | 'group';
  pages: Entry[];
}
const page = (title: string, ...pages: Entry[]): Entry => ({ title, kind: 'page', pages });
const group = (title: string, ...pages: Entry[]): Entry => ({ title, kind: 'group', pages });
const kinds = {
  isPage: ({ kind }: Entry) => kind === 'page',
  isGroup: ({ kind }: Entry) => kind === 'group',
};

it('pages come in order, each with the groups that begin with it', () => {
  const tree = [
    page('A', page('B')),
    group('Empty'),
    group('G', group('Empty too'), group('H', page('C')), page('D')),
    group('Last'),
  ];
  const listed = Array.from(listedPages(tree, kinds), ({ page: { title }, depth, groups }) => [
    title,
    depth,
    groups.map((each) => `${each.title} ${each.depth}`).join(),
  ]);
  expect(listed).toEqual([
    ['A', 0, ''],
    ['B', 1, ''],
    ['C', 2, 'G 0,H 1'],
    ['D', 1, ''],
  ]);
});
