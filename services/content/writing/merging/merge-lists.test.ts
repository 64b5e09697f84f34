import fc from 'fast-check';
import { runs } from '../../../../shared/testing/runs.js';
import type { FileEntry, RedirectEntry, ReusableEntry, RevisionDocument } from '../../core/revisions/model.js';
import type { RevisionView } from '../../core/revisions/revision-view.js';
import { Conflicts } from './conflicts.js';
import { mergeFiles, mergeRedirects, mergeVariables } from './merge-lists.js';
import type { ThreeViews } from './merge-pages.js';
import type { MergeSide } from './resources.js';
import { twoSides } from './testing/two-sides.js';

const ids = ['a', 'b', 'c', 'd'];
const states = fc.record(Object.fromEntries(ids.map((id) => [id, fc.constantFrom(undefined, 'one', 'two', 'three')])));
type State = Record<string, string | undefined>;
type Three = Record<keyof ThreeViews, State>;
const threes: fc.Arbitrary<Three> = fc.record({ base: states, primary: states, changeRequest: states });

const present = (state: State) =>
  Object.entries(state).filter((each): each is [string, string] => each[1] !== undefined);

/** Content whose files, redirects and variables are those of a state. */
function viewOf(state: State): RevisionView {
  const files = present(state).map(([id, name]): FileEntry => ({ id, name, contentType: 't', size: 1, blob: name }));
  const redirects = present(state).map(([from, page]): [string, RedirectEntry] => [from, { from, page }]);
  const revision = { variables: Object.fromEntries(present(state)) } as RevisionDocument;
  return { files, redirects: new Map(redirects), revision } as unknown as RevisionView;
}
const viewsOf = ({ base, primary, changeRequest }: Three): ThreeViews => ({
  base: viewOf(base),
  primary: viewOf(primary),
  changeRequest: viewOf(changeRequest),
});

/** For each kind, what the state becomes. */
const kinds = {
  async file(views: ThreeViews, conflicts: Conflicts) {
    const files = (await mergeFiles(views, conflicts)) ?? views.primary.files;
    expect(files.every(({ name, blob }) => name === blob)).toBe(true);
    return Object.fromEntries(files.map(({ id, name }) => [id, name]));
  },
  async redirect(views: ThreeViews, conflicts: Conflicts) {
    const redirects = (await mergeRedirects(views, conflicts)) ?? [...views.primary.redirects.values()];
    return Object.fromEntries(redirects.map(({ from, page }) => [from, page]));
  },
  async variable(views: ThreeViews, conflicts: Conflicts) {
    return mergeVariables(views, conflicts);
  },
};

test.each(Object.entries(kinds))(
  'each %s is that of the side that changed it; both changes are a conflict',
  async (kind, merged) => {
    const check = async (three: Three, choice: MergeSide) => {
      const views = viewsOf(three);
      const both = ids.filter((id) => new Set([three.base[id], three.primary[id], three.changeRequest[id]]).size === 3);
      const conflicts = new Conflicts();
      await merged(views, conflicts);
      const found = conflicts.list;
      expect(found.map(({ id }) => id).sort()).toEqual(both);
      expect(new Set(found.map((each) => each.kind))).toEqual(new Set(both.length > 0 ? [kind] : []));
      const choices = new Map(found.map((each) => [Conflicts.key(each), choice]));
      const decided = new Conflicts(choices, found);
      const after = await merged(views, decided);
      expect(decided.list).toEqual([]);
      const chosen = choice === 'primary' ? three.primary : three.changeRequest;
      for (const id of ids) {
        const { base, primary, changeRequest } = three;
        const single = base[id] === primary[id] ? changeRequest[id] : primary[id];
        expect([id, after[id]]).toEqual([id, both.includes(id) ? chosen[id] : single]);
      }
    };
    const choice = fc.constantFrom<MergeSide>('primary', 'change-request');
    await fc.assert(fc.asyncProperty(threes, choice, check), { numRuns: runs(75) });
  },
);

const sides = twoSides();

test('the last variable can be removed', async () => {
  const empty = await sides.fresh();
  const variables = { a: 'one' };
  const base = await sides.commit(empty, {}, { variables });
  const primary = await sides.commit(base, {}, { variables });
  const changeRequest = await sides.commit(base, {});
  expect((await sides.committed({ base, primary, changeRequest })).revision.variables).toBeUndefined();
});

describe('reusable content', () => {
  const entry = (id: string, document: string, title = id): ReusableEntry => ({ id, title, document });
  const source = (...lines: string[]) => lines.map((line) => `${line}\n`).join('');

  /** Three contents with the same reusable content in the texts of three pages. */
  async function three(
    texts: Record<keyof ThreeViews, string>,
    titles: Partial<Record<keyof ThreeViews, string>> = {},
  ) {
    const names = Object.keys(texts) as (keyof ThreeViews)[];
    const pages = names.map((id) => ({
      page: { id, type: 'document' as const, title: id, slug: id },
      parent: '',
      source: texts[id],
    }));
    const start = await sides.withPages(pages);
    const with_ = (name: keyof ThreeViews) => {
      const document = String(start.pageById.get(name)?.document);
      return sides.commit(start, { reusable: [entry('note', document, titles[name] ?? 'Note')] });
    };
    return { base: await with_('base'), primary: await with_('primary'), changeRequest: await with_('changeRequest') };
  }

  it('is merged by lines, its title on its own', async () => {
    const texts = { base: source('1', '2', '3'), primary: source('X', '2', '3'), changeRequest: source('1', '2', 'Y') };
    const merged = await sides.committed(await three(texts, { changeRequest: 'Other' }));
    expect(merged.reusable).toMatchObject([{ id: 'note', title: 'Other' }]);
    expect(await sides.stored(String(merged.reusable[0]?.document))).toBe(source('X', '2', 'Y'));
  });

  it('is in conflict where both changed a line, until a side is chosen', async () => {
    const views = await three({ base: source('1'), primary: source('X'), changeRequest: source('Y') });
    const { conflicts } = await sides.merge(views);
    expect(conflicts).toMatchObject([
      { kind: 'reusable-content', id: 'note', hunks: [{ primary: ['X\n'], changeRequest: ['Y\n'] }] },
    ]);
    const merged = await sides.committed(views, new Map([['reusable-content note', 'change-request']]));
    expect(await sides.stored(String(merged.reusable[0]?.document))).toBe(source('Y'));
  });
});
