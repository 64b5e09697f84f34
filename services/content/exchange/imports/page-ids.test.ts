import type { PageEntry, RevisionView } from '../../core/revisions/revision-view.js';
import { newPageIds, type PageIdentity } from './page-ids.js';

const page = (id: string, path: string, oid: string, extra: Partial<PageEntry> = {}): PageEntry => ({
  id,
  type: 'document',
  title: id,
  slug: path,
  path,
  git: { path: `${path}.md`, oid },
  pages: [],
  ...extra,
});
const viewOf = (...pages: PageEntry[]) => ({ pages }) as unknown as RevisionView;
const now = (path: string, oid: string): PageIdentity => ({
  type: 'document',
  title: 'any',
  path,
  file: { path: `${path}.md`, oid },
});

describe('the id of a page', () => {
  it('follows its file, else its content', async () => {
    const pages = [now('b', '1'), now('a', '3'), now('new', '9')];
    const ids = await newPageIds(viewOf(page('A', 'a', '1'), page('B', 'old', '2'))).assign(pages);
    expect(ids.get(pages[1] as PageIdentity)).toBe('A');
    expect(ids.get(pages[0] as PageIdentity)).not.toBe('A');
    const moved = [now('elsewhere', '2')];
    const kept = await newPageIds(viewOf(page('B', 'old', '2'))).assign(moved);
    expect(kept.get(moved[0] as PageIdentity)).toBe('B');
  });

  it('follows a file that is moved to another folder and changed, where its title stays', async () => {
    const view = viewOf(page('Guide', 'guide', '1'), page('Gone', 'gone', '2'));
    const pages = [
      { ...now('deep/guide', '3'), title: 'Guide' },
      now('deep/gone', '4'),
      { ...now('other', '5'), title: 'Gone' },
    ];
    const ids = await newPageIds(view).assign(pages);
    const kept = pages.map((each) => ['Guide', 'Gone'].find((id) => id === ids.get(each)));
    expect(kept).toEqual(['Guide', undefined, undefined]);
  });

  it('stays at its place before it follows the name of its file', async () => {
    const moved = { ...now('deep/guide', '2'), title: 'Guide' };
    const inPlace = { ...now('guide', '3'), title: 'Guide', file: { path: 'guide/README.md', oid: '3' } };
    const ids = await newPageIds(viewOf(page('Guide', 'guide', '1'))).assign([moved, inPlace]);
    expect([ids.get(inPlace), ids.get(moved) === 'Guide']).toEqual(['Guide', false]);
  });

  it('goes to one page only', async () => {
    const twins = [now('x', '1'), now('y', '1')];
    const ids = await newPageIds(viewOf(page('A', 'a', '1'))).assign(twins);
    expect(ids.get(twins[0] as PageIdentity)).toBe('A');
    expect(new Set(ids.values()).size).toBe(2);
  });

  it('follows the path of a group, and the title and target of a link', async () => {
    const group = page('G', 'group', '', { type: 'group', title: 'Group' });
    const link = page('L', '', '', { type: 'link', title: 'Link', href: 'https://example.com' });
    delete group.git;
    delete link.git;
    const pages: PageIdentity[] = [
      { type: 'link', title: 'Link', path: '', href: 'https://example.com' },
      { type: 'group', title: 'Group', path: 'group' },
    ];
    const ids = await newPageIds(viewOf(group, link)).assign(pages);
    expect(pages.map((wanted) => ids.get(wanted))).toEqual(['L', 'G']);
  });

  it('stays with each of several pages that are alike, in their order', async () => {
    const known = ['A', 'B', 'C'].map((id) =>
      page(id, '', '', { type: 'link', title: 'Out', href: 'https://example.com' }),
    );
    for (const each of known) delete each.git;
    const pages = known.map(
      (): PageIdentity => ({ type: 'link', title: 'Out', path: '', href: 'https://example.com' }),
    );
    const ids = await newPageIds(viewOf(...known)).assign(pages);
    expect(pages.map((wanted) => ids.get(wanted))).toEqual(['A', 'B', 'C']);
  });

  it('consists of letters and digits, as in the public API', async () => {
    const pages = [now('a', '1')];
    expect([...(await newPageIds(null).assign(pages)).values()][0]).toMatch(/^[a-zA-Z0-9]{1,40}$/);
  });
});
