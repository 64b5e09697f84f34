import { pageDocuments } from '../../core/revisions/model.js';
import { eachPageOf, type PageEntry, type RevisionView } from '../../core/revisions/revision-view.js';
import { importedSpace } from '../../exchange/imports/testing/imported-space.js';
import { anchorOfUse, backlinkKey, LinkCollector, type Links } from './link-collector.js';
import { linksOfPage } from './links-handlers.js';
import { RevisionLinksCache } from './revision-links-cache.js';
import { StoredLinks } from './stored-links.js';

const { space, revisionIds, opened } = importedSpace();
const baseUrl = 'http://localhost';
const opening = async () => {
  const { deps, store } = opened;
  const [before, view] = [
    await deps.revisions.get(space, revisionIds[1] as string),
    await deps.revisions.current(space),
  ];
  return { store, before, view, cache: new RevisionLinksCache({ store, baseUrl }) };
};
const titled = (view: RevisionView, title: string) =>
  [...eachPageOf(view.pages)].find((page) => page.title === title) as PageEntry;
const inShort = ({ targets, lacking }: Links) =>
  [...targets.values()].map(({ target, url }) => [target.kind, url, lacking.has(target)]);

it('requests at the same time share one list of links, which is kept', async () => {
  const { view, cache } = await opening();
  const [one, two] = await Promise.all([cache.of(view), cache.of(view)]);
  expect(one).toBe(two);
  expect(await cache.of(view)).toBe(one);
  expect(inShort(one)).toEqual([
    ['page', 'beta/README.md', false],
    ['reusable-content', '.gitbook/includes/note.md', false],
  ]);
  expect(one.backlinks.get(backlinkKey('page', titled(view, 'Beta').id))?.map(({ from }) => from.id)).toEqual([
    titled(view, 'Home').id,
  ]);
});

it('the links of a revision that is derived from another share what is known of equal bodies', async () => {
  const { before, view, cache } = await opening();
  const known = new Map((await cache.of(before)).stored.entries());
  const links = new Map((await cache.of(view)).stored.entries());
  const shared = [...links].filter(([document, body]) => known.get(document) === body).map(([document]) => document);
  const changed = titled(view, 'In it').document;
  expect(links.size - shared.length).toBe(1);
  expect([links.has(changed ?? ''), shared.includes(changed ?? '')]).toEqual([true, false]);
});

it('more links than there may be are 422', async () => {
  const { store, view } = await opening();
  const stored = new StoredLinks({ store, space });
  const page = titled(view, 'Home');
  await stored.read([page.document ?? '']);
  for (const [room, what] of [
    [{ uses: 0, bytes: 1e9 }, '0 uses of targets'],
    [{ uses: 10, bytes: 1 }, '0 MiB of memory'],
  ] as const) {
    const collecting = new LinkCollector({ view, baseUrl }, stored, room).collect([{ page }]);
    await expect(collecting).rejects.toMatchObject({ type: 'UNPROCESSABLE', message: expect.stringContaining(what) });
  }
});

it('documents of earlier versions have links without sections, and the anchors of their headings', async () => {
  const { store, view } = await opening();
  const page = titled(view, 'In it');
  const source = '# In it\n\n## One\n\n[a](#one) [b](#two)\n';
  const links = ['#one', '#two'].map((url) => ({ url, kind: 'link' }));
  const sections = [{ text: '' }, { title: 'One', anchor: 'one', text: 'a b' }];
  const _id = `${space}:${page.document}`;
  await store.update(pageDocuments, { _id }, { $set: { source, links, sections }, $unset: { anchors: true } });
  const found = await linksOfPage({ store, baseUrl }, view, page);
  expect(inShort(found)).toEqual([
    ['page', '#one', false],
    ['page', '#two', true],
  ]);
  expect([...found.targets.values()].flatMap(({ uses }) => uses.map(anchorOfUse))).toEqual([undefined, undefined]);
});
