import { readPages } from './page-worker.js';

it('notes each link once with the sections that use it, and the anchors of the page', () => {
  const source = '[a](a.md) [a](a.md)\n\n## One\n\n[a](a.md) ![](a.md)\n\n## Two\n\n[a](a.md)\n';
  const [page] = readPages([source]);
  expect(page).toMatchObject({ anchors: ['one', 'two'] });
  expect(page && 'links' in page && page.links).toEqual([
    { url: 'a.md', kind: 'link', at: [0, 1, 2] },
    { url: 'a.md', kind: 'image', at: [1] },
  ]);
});

it('notes so many sections of a link and no more', () => {
  const [page] = readPages([Array.from({ length: 150 }, (_, at) => `## H${at}\n\n[a](a.md)\n`).join('\n')]);
  expect(page && 'links' in page && page.links[0]?.at?.length).toBe(100);
});
