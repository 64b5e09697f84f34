import type { RevisionView } from '../../core/revisions/revision-view.js';
import type { Change } from '../changes/content-draft.js';
import type { MergeSide } from './resources.js';
import { expectSound } from './testing/expected.js';
import { twoSides } from './testing/two-sides.js';

const sides = twoSides();

type Page = { page: { id: string; type: 'document'; title: string; slug: string }; parent: string; source: string };
const page = (id: string, parent = '', source = `# ${id}\n\none\ntwo\nthree\n`): Page => ({
  page: { id, type: 'document', title: id, slug: id },
  parent,
  source,
});

async function apply(base: RevisionView, changes: Change[]): Promise<RevisionView> {
  let view = base;
  for (const change of changes) {
    const next = await sides.written(view, base, change);
    if (next === view) throw new Error(`refused: ${JSON.stringify(change)}`);
    view = next;
  }
  return sides.commit(base, { pages: view.pages });
}

async function three(pages: Page[], ours: Change[], theirs: Change[]) {
  const base = await sides.withPages(pages);
  return { base, primary: await apply(base, ours), changeRequest: await apply(base, theirs) };
}
type Three = Awaited<ReturnType<typeof three>>;

const update = (id: string, fields: object): Change => ({ operation: 'update_page', page: id, ...fields }) as Change;
const insert = (title: string, fields: object = {}): Change => ({
  operation: 'insert_page',
  title,
  document: { markdown: `About ${title}.\n` },
  ...fields,
});
const remove = (id: string): Change => ({ operation: 'delete_page', page: id });

const paths = ({ pageById }: RevisionView) => [...pageById.values()].map(({ path }) => path).sort();
const conflictsOf = async (views: Three) => (await sides.merge(views)).conflicts;
const chosen = (choice: MergeSide, ...ids: string[]) => new Map(ids.map((id) => [`page ${id}`, choice]));

async function merged(views: Three, choices?: ReadonlyMap<string, MergeSide>): Promise<RevisionView> {
  const view = await sides.committed(views, choices);
  await expectSound(sides, view);
  return view;
}

/** Something else that the primary content changed, so that there is something to merge. */
const meanwhile = update('z', { title: 'Z' });

describe('slugs', () => {
  it('may be exchanged', async () => {
    const exchange = [update('a', { slug: 'x' }), update('b', { slug: 'a' }), update('a', { slug: 'b' })];
    const view = await merged(await three([page('a'), page('b'), page('z')], [meanwhile], exchange));
    expect([view.pageById.get('a')?.slug, view.pageById.get('b')?.slug]).toEqual(['b', 'a']);
  });

  it('of deleted pages are free', async () => {
    const view = await merged(await three([page('a'), page('z')], [meanwhile], [remove('a'), insert('a')]));
    expect(paths(view)).toEqual(['a', 'z']);
  });

  it('get a number where the other side has taken them', async () => {
    const views = await three([page('a'), page('z')], [insert('new')], [insert('new'), update('a', { slug: 'z-1' })]);
    expect(paths(await merged(views))).toEqual(['new', 'new-1', 'z', 'z-1']);
  });
});

describe('a page that one side deleted', () => {
  const pages = [page('above'), page('a', 'above'), page('below', 'a'), page('z')];
  const left = async (ours: Change[], theirs: Change[], choice: MergeSide, ...ids: string[]) =>
    paths(await merged(await three(pages, ours, theirs), chosen(choice, ...ids)));

  it('is in conflict when the other changed it, or what was below it', async () => {
    for (const change of [update('a', { title: 'A' }), update('a', { into: 'z' }), insert('n', { into: 'a' })]) {
      for (const [ours, theirs, deletedIn] of [
        [[remove('a')], [change], 'primary'],
        [[change], [remove('a')], 'change-request'],
      ] as const)
        expect(await conflictsOf(await three(pages, [...ours], [...theirs]))).toMatchObject([
          { kind: 'page', id: 'a', deletedIn },
        ]);
    }
    const [one, two] = await conflictsOf(await three(pages, [remove('a')], [update('below', { title: 'B' })]));
    expect([one?.id, two?.id].sort()).toEqual(['a', 'below']);
  });

  it('comes back in its place, with what is new below it, or goes without that', async () => {
    const adding = [insert('n', { into: 'below' })];
    const [deleting, both] = [[remove('a')], ['a', 'below']];
    const back = ['above', 'above/a', 'above/a/below', 'above/a/below/n', 'z'];
    expect(await left(deleting, adding, 'change-request', ...both)).toEqual(back);
    expect(await left(adding, deleting, 'primary', ...both)).toEqual(back);
    const gone = ['above', 'above/n', 'z'];
    expect(await left(deleting, adding, 'primary', ...both)).toEqual(gone);
    expect(await left(adding, deleting, 'change-request', ...both)).toEqual(gone);
  });

  it('leaves what was moved into it where it was, when it goes', async () => {
    const moving = [update('z', { into: 'a' })];
    expect(await left([remove('a')], moving, 'primary', 'a')).toEqual(['above', 'above/z']);
    expect(await left(moving, [remove('a')], 'change-request', 'a')).toEqual(['above', 'above/z']);
  });

  it('keeps slugs unique where its pages go', async () => {
    const same = insert('a', { into: 'a' });
    const views = await three([page('a'), page('z')], [same], [remove('a'), update('z', { slug: 'a' })]);
    expect(paths(await merged(views, chosen('change-request', 'a')))).toEqual(['a', 'a-1']);
  });
});

describe('moves', () => {
  const pages = [page('a'), page('b'), page('c', 'a'), page('z')];

  it('of two pages below each other are a conflict that a choice settles', async () => {
    const views = await three(pages, [update('a', { into: 'b' })], [update('b', { into: 'c' })]);
    expect(await conflictsOf(views)).toMatchObject([
      {
        id: 'b',
        attributes: [
          { attribute: 'position', base: { parent: '' }, primary: { parent: '' }, changeRequest: { parent: 'c' } },
        ],
      },
    ]);
    expect(paths(await merged(views, chosen('primary', 'b')))).toEqual(['b', 'b/a', 'b/a/c', 'z']);
    expect(paths(await merged(views, chosen('change-request', 'b')))).toEqual(['a', 'a/c', 'a/c/b', 'z']);
  });

  it('to the same place are none', async () => {
    const move = update('c', { into: 'z' });
    expect(paths(await merged(await three(pages, [move], [move])))).toEqual(['a', 'b', 'z', 'z/c']);
  });

  it('of one page are a conflict, also when one of them was merged with something else', async () => {
    const own = await three(pages, [insert('x')], [update('a', { at: 1 })]);
    const primary = await merged(own);
    const changeRequest = await apply(own.base, [update('a', { at: 2 })]);
    expect(await conflictsOf({ base: own.base, primary, changeRequest })).toMatchObject([
      { id: 'a', attributes: [{ attribute: 'position' }] },
    ]);
  });

  it('in an import do not come from marks that it drops', async () => {
    const base = await apply(await sides.withPages(pages), [update('a', { at: 1 })]);
    const unmarked = base.pages.map(({ placed: _, ...rest }) => rest);
    const primary = await sides.commit(base, { pages: unmarked });
    const changeRequest = await apply(base, [remove('a')]);
    expect(paths(await merged({ base, primary, changeRequest }))).toEqual(['b', 'z']);
  });

  it('in an import are those of as few pages as possible', async () => {
    const base = await sides.withPages([page('a'), page('b'), page('c'), page('d')]);
    const [a, b, c, d] = base.pages as [RevisionView['pages'][0], ...RevisionView['pages']];
    const primary = await sides.commit(base, { pages: [b, c, a, d] as typeof base.pages });
    const changeRequest = await apply(base, [update('d', { at: 1 }), update('c', { title: 'C' })]);
    expect((await merged({ base, primary, changeRequest })).pages.map(({ id }) => id)).toEqual(['b', 'c', 'a', 'd']);
    const moved = { base, primary, changeRequest: await apply(base, [update('a', { into: 'd' })]) };
    expect(await conflictsOf(moved)).toMatchObject([{ id: 'a', attributes: [{ attribute: 'position' }] }]);
  });

  it('stay where they were chosen to stay, also when another choice would free the way', async () => {
    const four = [page('a'), page('b'), page('c', 'b')];
    const ours = [update('b', { into: 'a' })];
    const theirs = [update('b', { at: 0 }), update('a', { into: 'c' })];
    const views = await three(four, ours, theirs);
    expect((await conflictsOf(views)).map(({ id }) => id)).toEqual(['b', 'a']);
    const choices = new Map([...chosen('change-request', 'b'), ...chosen('primary', 'a')]);
    expect(paths(await merged(views, choices))).toEqual(['a', 'b', 'b/c']);
  });

  it('to the end lead behind what the primary content added there', async () => {
    const views = await three([page('a'), page('z')], [insert('x')], [insert('y')]);
    expect((await merged(views)).pages.map(({ slug }) => slug)).toEqual(['a', 'z', 'x', 'y']);
  });

  it('keep the order of each side', async () => {
    const views = await three(pages, [insert('x', { at: 1 })], [update('z', { at: 0 }), insert('y')]);
    expect((await merged(views)).pages.map(({ slug }) => slug)).toEqual(['z', 'a', 'x', 'b', 'y']);
  });
});

describe('titles', () => {
  const renamed = update('a', { title: 'Named' });
  const headed = update('a', { document: { markdown: '# Headed\n\none\ntwo\nthree\n' } });

  it('that both gave are a conflict, with what they are', async () => {
    const views = await three([page('a')], [renamed], [headed]);
    expect(await conflictsOf(views)).toEqual([
      {
        object: 'conflict',
        kind: 'page',
        id: 'a',
        title: 'Named',
        path: 'a',
        attributes: [{ attribute: 'title', base: 'a', primary: 'Named', changeRequest: 'Headed' }],
        hunks: [],
      },
    ]);
  });

  it.each([
    ['primary', 'Named', 'Headed'],
    ['change-request', 'Headed', undefined],
  ] as const)('are those of the %s when it is chosen, also in the source', async (choice, title, heading) => {
    const view = await merged(await three([page('a')], [renamed], [headed]), chosen(choice, 'a'));
    expect(view.pageById.get('a')).toMatchObject({ title, ...(heading ? { heading } : {}) });
    expect(view.pageById.get('a')?.heading).toBe(heading);
    expect(await sides.sourceOf(view, 'a')).toBe(`---\ntitle: ${title}\n---\n\n# Headed\n\none\ntwo\nthree\n`);
  });

  it('merge with texts', async () => {
    const text = update('a', { document: { markdown: '# a\n\none\nTWO\nthree\n' } });
    const view = await merged(await three([page('a')], [text], [renamed]));
    expect(view.pageById.get('a')).toMatchObject({ title: 'Named', heading: 'a' });
    expect(await sides.sourceOf(view, 'a')).toBe('---\ntitle: Named\n---\n\n# a\n\none\nTWO\nthree\n');
  });
});

describe('metadata and texts', () => {
  it('are in one conflict of a page, with values and lines', async () => {
    const written = (text: string, description: string) =>
      update('a', { document: { markdown: `one\n${text}\nthree\n` }, description });
    const base = page('a', '', 'one\ntwo\nthree\n');
    const views = await three([base], [written('TWO', 'Ours')], [written('zwei', 'Theirs')]);
    expect(await conflictsOf(views)).toMatchObject([
      {
        attributes: [{ attribute: 'description', primary: 'Ours', changeRequest: 'Theirs' }],
        hunks: [{ line: 2, base: ['two\n'], primary: ['TWO\n'], changeRequest: ['zwei\n'] }],
      },
    ]);
    expect(await sides.sourceOf(await merged(views, chosen('change-request', 'a')), 'a')).toBe(
      '---\ndescription: Theirs\n---\n\none\nzwei\nthree\n',
    );
  });
});
