import { write } from '../../../../shared/store/port.js';
import { spaces } from '../../core/nodes/model.js';
import { importedSpace } from '../../exchange/imports/testing/imported-space.js';
import { showMarkdown } from './shown-markdown.js';
import { documentAt } from './shown-page.js';
import { showTree } from './shown-tree.js';
import { viewOfVisitor } from './visited-view.js';

const { space, opened, visitor } = importedSpace();

const treeFor = async (claims: Record<string, unknown> = {}, known?: string) =>
  (await showTree(opened.deps, { visitor: visitor(claims), space, known } as never)).decode();
const outlineOf = (pages: { title: string; path: string; pages: [] }[] = []): unknown[] =>
  pages.map(({ title, path, pages: below }) => (below.length > 0 ? [title, path, outlineOf(below)] : [title, path]));

it('the navigation is what the visitor sees, with the first page at the start of the space', async () => {
  const seen = async (claims: object) => outlineOf((await treeFor({ ...claims })).pages as never);
  const group = ['Group', 'group/in-it', [['In it', 'group/in-it']]];
  expect(await seen({})).toEqual([['Home', ''], group]);
  expect(await seen({ beta: true })).toEqual([['Home', ''], ['Beta', 'beta', [['Below', 'beta/below']]], group]);
  expect(await seen({ plan: 'pro' })).toEqual([['Home', ''], ['Plan', 'plan'], group]);
});

it('the navigation is not sent to who has it', async () => {
  const { key } = await treeFor();
  expect(await treeFor({}, key)).not.toHaveProperty('pages');
  expect(await treeFor({ beta: true }, key)).toHaveProperty('pages');
});

it('a path leads to the page of a group, and not to pages that are hidden from the visitor', async () => {
  const at = async (path: string, claims = {}) =>
    documentAt((await viewOfVisitor(opened.deps, visitor(claims))).view, path)?.title;
  expect([await at(''), await at('group'), await at('In-It'), await at('beta/below'), await at('nothing')]).toEqual([
    'Home',
    'In it',
    undefined,
    undefined,
    undefined,
  ]);
  expect(await at('beta/below', { beta: true })).toBe('Below');
});

it('a space that the visitor does not read, or that is in the trash, is not there', async () => {
  const refused = { type: 'NOT_FOUND' };
  await expect(viewOfVisitor(opened.deps, visitor({}, ['another']))).rejects.toMatchObject(refused);
  expect((await showMarkdown(opened.deps, { visitor: visitor(), path: 'group/in-it' })).decode()?.title).toBe('In it');
  const trash = (deletedAt: string | null) =>
    opened.store.batch([write.update(spaces, { _id: space }, { $set: { deletedAt } })]);
  await trash('2026-01-01T00:00:00.000Z');
  await expect(treeFor()).rejects.toMatchObject(refused);
  await expect(showMarkdown(opened.deps, { visitor: visitor(), path: '' })).rejects.toMatchObject(refused);
  const [revision] = [await opened.deps.revisions.current(space)].map((view) => view.revision._id);
  const previewing = { ...visitor(), revision: { space, id: revision as string } };
  await expect(viewOfVisitor(opened.deps, previewing)).rejects.toMatchObject(refused);
  await trash(null);
  expect((await treeFor()).pages).toHaveLength(2);
});
