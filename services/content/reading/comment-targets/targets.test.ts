import { write } from '../../../../shared/store/port.js';
import { newId } from '../../../../shared/values/ids.js';
import { isTaskFailure } from '../../../../shared/workers/workers.js';
import type { ShowTargets } from '../../contract.js';
import { type ChangeRequestDocument, changeRequests } from '../../core/change-requests/model.js';
import { revisions } from '../../core/revisions/model.js';
import type { PageEntry, RevisionView } from '../../core/revisions/revision-view.js';
import { importedSpace } from '../../exchange/imports/testing/imported-space.js';
import type { BlockNode } from '../../format/document/document-model.js';
import { readDocument } from '../pages/page-bodies.js';
import { keysOfPages, locateTarget, presentTargets } from './targets.js';

const { organization, space, revisionIds, opened, importFiles } = importedSpace();

const long = `${'A long line of text. '.repeat(20)}\n`;
const table = '| Name | Note |\n| --- | --- |\n| one | in **a cell** |\n';
const note = 'Text with a note.[^1]\n\n[^1]: The note.\n';
const guide = (body: string) => `# Guide\n\n${body}`;
const summary = (lines: string) => `# Contents\n\n* [Home](README.md)\n${lines}`;

let before = '';
beforeAll(async () => {
  const files = {
    'SUMMARY.md': summary('* [Guide](guide.md)\n* [Gone](gone.md)\n* [Moved](moved.md)\n'),
    'gone.md': '# Gone\n\nSoon.\n',
    'moved.md': '# Moved\n\nStays the same.\n',
    'guide.md': guide(`First.\n\nSecond line\nof [two](moved.md).\n\n${table}\n${note}\n${long}`),
  };
  await importFiles(files);
  before = revisionIds.at(-1) as string;
  await importFiles({
    ...files,
    'SUMMARY.md': summary('* [Guide](guide.md)\n  * [Moved now](moved.md)\n'),
    'gone.md': null,
    'guide.md': guide(`Second line\nof [two](moved.md).\n\n${table}`),
  });
});

const viewOf = (revision: string) => opened.deps.revisions.get(space, revision);
const primary = () => opened.deps.revisions.current(space);

function pageIn(view: RevisionView, title: string) {
  const page = [...view.pageById.values()].find((each) => each.title === title);
  if (!page) throw new Error(`no page ${title}`);
  return page;
}

/** The keys of a page's blocks as users get them, by their texts. */
async function keysIn(view: RevisionView, title: string): Promise<Map<string, string>> {
  const document = await readDocument(opened.deps, { view, organization, body: pageIn(view, title) });
  const keys = new Map<string, string>();
  const walk = (value: unknown): string => {
    if (Array.isArray(value)) return value.map(walk).join('');
    if (typeof value !== 'object' || value === null) return '';
    const { object, text, key } = value as BlockNode & { text?: string };
    const own = object === ('leaf' as string) ? String(text) : Object.values(value).map(walk).join('');
    if (object === 'block' && !keys.has(own)) keys.set(own, key);
    return own;
  };
  walk(document.decode());
  return keys;
}

let number = 100;
const changeRequest = (fields: Partial<ChangeRequestDocument>): ChangeRequestDocument => ({
  _id: newId(),
  organization,
  space,
  number: number++,
  status: 'open',
  subject: '',
  createdBy: 'ada',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  revision: before,
  initial: before,
  base: before,
  contributors: [],
  ...fields,
});

async function insert(fields: Partial<ChangeRequestDocument>): Promise<ChangeRequestDocument> {
  const item = changeRequest(fields);
  await opened.store.insertMany(changeRequests, [item]);
  return item;
}

const find = (wanted: Omit<Parameters<typeof locateTarget>[1], 'space'>) =>
  locateTarget(opened.deps, { space, ...wanted });
const show = (targets: ShowTargets['targets'], changeRequest?: string) =>
  presentTargets(opened.deps, { organization, space, targets, ...(changeRequest ? { changeRequest } : {}) });

describe('a target is found', () => {
  it('in the primary content, with the body of its page', async () => {
    const view = await primary();
    const { id, document } = pageIn(view, 'Moved now');
    expect(await find({})).toEqual({ revision: view.revision._id });
    expect(await find({ page: id })).toMatchObject({
      revision: view.revision._id,
      page: { id, title: 'Moved now', path: 'guide/moved' },
      document,
    });
  });

  it('in the content of a change request, by its id or its number', async () => {
    const { _id, number } = await insert({});
    const { id } = pageIn(await viewOf(before), 'Gone');
    const found = { changeRequest: _id, revision: before, page: { title: 'Gone' } };
    for (const named of [_id, String(number)])
      expect(await find({ changeRequest: named, page: id })).toMatchObject(found);
    expect(await find({ page: id })).toMatchObject({ lacks: 'page' });
  });

  it.each(['unknown', '99', 'of another space'])('not in a change request that is %s', async (named) => {
    const { _id } = await insert({ space: newId() });
    expect(await find({ changeRequest: named === 'of another space' ? _id : named })).toBeNull();
    expect(await locateTarget(opened.deps, { space: newId() })).toBeNull();
  });

  it.each([
    ['a paragraph', 'First.', 'First.'],
    ['a paragraph of two lines', 'Second line of two.', 'Second line of two.'],
    ['a block in a cell of a table', 'in a cell', 'in a cell'],
    ['a block in a note', 'The note.', 'The note.'],
    ['a long paragraph', long.trim(), long.slice(0, 200)],
  ])('by the key of %s, with a preview', async (_, text, preview) => {
    const { _id } = await insert({});
    const view = await viewOf(before);
    const keys = await keysIn(view, 'Guide');
    const node = keys.get(text) ?? keys.get(text.replace('line of', 'line\nof'));
    expect(node).toBeDefined();
    const found = await find({ changeRequest: _id, page: pageIn(view, 'Guide').id, node: node as string });
    expect(found).toMatchObject({ node: { id: node, preview } });
    expect(found).not.toHaveProperty('lacks');
  });

  it('without what does not exist of it', async () => {
    const { id } = pageIn(await primary(), 'Guide');
    expect(await find({ page: 'nowhere' })).toMatchObject({ lacks: 'page' });
    expect(await find({ node: 'key' })).toMatchObject({ lacks: 'page' });
    expect(await find({ page: id, node: 'key' })).toMatchObject({ page: { id }, lacks: 'node' });
    const { _id } = await insert({ status: 'archived', revision: newId() });
    expect(await find({ changeRequest: _id, page: id })).toMatchObject({ lacks: 'page' });
  });

  it('on a group, which has no nodes', async () => {
    const view = await viewOf(revisionIds[0] as string);
    const { _id } = await insert({ revision: view.revision._id });
    const { id } = pageIn(view, 'Group');
    expect(await find({ changeRequest: _id, page: id, node: 'key' })).toMatchObject({
      page: { title: 'Group' },
      lacks: 'node',
    });
  });
});

describe('a target that is found has the answer that a question about it would get at once', () => {
  it('in the primary content', async () => {
    await expectSameShown({ title: 'Guide', text: 'in a cell', outdated: false });
  });

  it.each<[string, Partial<ChangeRequestDocument>, string, string, boolean | null]>([
    ['that is open', {}, 'Guide', 'First.', false],
    ['that is open, on a page that is gone from the primary content', {}, 'Gone', 'Soon.', true],
    ['that is merged, on a page that was renamed', { status: 'merged' }, 'Moved', 'Stays the same.', false],
    ['that is merged, on a block that is gone', { status: 'merged' }, 'Guide', 'First.', true],
    ['that is merged, on a page that is gone', { status: 'merged' }, 'Gone', 'Soon.', null],
    ['that is archived', { status: 'archived' }, 'Moved', 'Stays the same.', false],
    ['that is archived, and no longer kept whole', { status: 'archived', base: newId() }, 'Guide', 'First.', null],
  ])('in a change request %s', async (_, fields, title, text, outdated) => {
    await expectSameShown({ title, text, outdated, ...(await insert(fields)) });
  });

  interface Expected {
    title: string;
    text: string;
    /** Null for a page that is not shown. */
    outdated: boolean | null;
    _id?: string;
  }

  async function expectSameShown({ title, text, outdated, _id: of }: Expected): Promise<void> {
    const view = of === undefined ? await primary() : await viewOf(before);
    const { id: page } = pageIn(view, title);
    const node = (await keysIn(view, title)).get(text) as string;
    const changeRequest = of === undefined ? {} : { changeRequest: of };
    const onPage = await find({ ...changeRequest, page });
    const onNode = await find({ ...changeRequest, page, node });
    const document = onNode?.document as string;
    expect(onNode?.shown === null ? null : onNode?.shown?.outdated).toBe(outdated);
    expect([onPage?.shown, onNode?.shown]).toEqual([
      ...(await show([{ page, document }], of)),
      ...(await show([{ page, node, document }], of)),
    ]);
  }
});

describe('targets are shown', () => {
  it('in order, as the pages are now: renamed, moved, and gone', async () => {
    const view = await viewOf(before);
    const [moved, gone, guide] = ['Moved', 'Gone', 'Guide'].map((title) => ({ page: pageIn(view, title).id }));
    const shown = await show([moved, gone, guide, moved] as { page: string }[]);
    const movedNow = { page: { id: moved?.page, title: 'Moved now', path: 'guide/moved' }, outdated: false };
    expect(shown).toMatchObject([movedNow, null, { page: { title: 'Guide' }, outdated: false }, movedNow]);
  });

  it('as outdated when their node is gone, and only then', async () => {
    const view = await viewOf(before);
    const { id: page, document } = pageIn(view, 'Guide');
    const keys = await keysIn(view, 'Guide');
    const seen = ['First.', 'Second line of two.', 'in a cell', 'The note.'].map((text) => {
      const node = keys.get(text) ?? keys.get(text.replace('line of', 'line\nof'));
      return { page, node: node as string, document: document as string };
    });
    expect((await show(seen)).map((each) => each?.outdated)).toEqual([true, false, false, true]);
    const { _id } = await insert({});
    expect((await show(seen, _id)).map((each) => each?.outdated)).toEqual([false, false, false, false]);
  });

  it('without a look at bodies that are those in which the nodes were seen', async () => {
    const { id: page, document } = pageIn(await primary(), 'Guide');
    const work = { ...opened.deps.work, blockKeys: () => Promise.reject(new Error('looked')) };
    const asked = { organization, space, targets: [{ page, node: 'any', document: document as string }] };
    expect(await presentTargets({ ...opened.deps, work }, asked)).toMatchObject([{ outdated: false }]);
    await expect(
      presentTargets({ ...opened.deps, work }, { ...asked, targets: [{ page, node: 'any', document: 'other' }] }),
    ).rejects.toThrow('looked');
  });

  it('with one look at each body, and as there where it takes too long', async () => {
    const { id: page } = pageIn(await primary(), 'Guide');
    const failure = Object.assign(new Error('too long'), { failure: 'deadline' });
    expect(isTaskFailure(failure)).toBe(true);
    let looks = 0;
    const blockKeys = async () => {
      looks += 1;
      throw failure;
    };
    const targets = ['a', 'b', 'c'].map((node) => ({ page, node, document: 'other' }));
    const deps = { ...opened.deps, work: { ...opened.deps.work, blockKeys } };
    const shown = await presentTargets(deps, { organization, space, targets });
    expect(shown.map((each) => each?.outdated)).toEqual([false, false, false]);
    expect(looks).toBe(1);
  });

  it('as outdated in a change request when their page is gone from the primary content that it had', async () => {
    const { _id } = await insert({});
    const old = await viewOf(before);
    const [gone, guide] = ['Gone', 'Guide'].map((title) => ({ page: pageIn(old, title).id }));
    const targets = [gone, guide] as { page: string }[];
    expect(await show(targets, _id)).toMatchObject([{ page: { title: 'Gone' }, outdated: true }, { outdated: false }]);
    // New in the change request: it was never in the primary content.
    const added = await insert({ base: revisionIds[1] as string });
    expect(await show(targets, added._id)).toMatchObject([{ outdated: false }, { outdated: false }]);
  });

  it('in the primary content when their change request is merged', async () => {
    const { _id } = await insert({ status: 'merged' });
    const old = await viewOf(before);
    const [gone, moved] = ['Gone', 'Moved'].map((title) => ({ page: pageIn(old, title).id }));
    expect(await show([gone, moved] as { page: string }[], _id)).toMatchObject([
      null,
      { page: { title: 'Moved now' }, outdated: false },
    ]);
  });

  it('in an archived change request as long as its content is kept', async () => {
    const { store } = opened;
    const { _id: _, ...revision } = (await viewOf(before)).revision;
    const copy = newId();
    await store.insertMany(revisions, [{ ...revision, _id: copy }]);
    const { _id } = await insert({ status: 'archived', revision: copy });
    const target = { page: pageIn(await viewOf(copy), 'Moved').id };
    expect(await show([target], _id)).toMatchObject([{ page: { title: 'Moved' }, outdated: false }]);
    await store.batch([write.delete(revisions, { _id: copy }, { expect: 1 })]);
    expect(await show([target, target], _id)).toEqual([null, null]);
  });

  it('nowhere in a change request or a space that does not exist', async () => {
    const { id: page } = pageIn(await primary(), 'Guide');
    expect(await show([{ page }], 'unknown')).toEqual([null]);
    expect(await presentTargets(opened.deps, { organization, space: newId(), targets: [{ page }] })).toEqual([null]);
  });

  it('with one view a place, however many they are', async () => {
    const { _id } = await insert({});
    const view = await viewOf(before);
    const asked: string[] = [];
    const counting = new Proxy(opened.deps.revisions, {
      get: (cache, name) => (of: string, id: string) => {
        asked.push(`${String(name)} ${id}`);
        return cache.find(of, id);
      },
    });
    const targets = Array.from({ length: 200 }, (_, at) => ({ page: [...view.pageById.keys()][at % 4] as string }));
    await presentTargets({ ...opened.deps, revisions: counting }, { organization, space, changeRequest: _id, targets });
    expect(asked.sort()).toEqual([`find ${before}`, `find ${before}`, `find ${revisionIds.at(-1)}`].sort());
  });
});

it('looks at 50 pages of a question, four at a time', async () => {
  let [running, most] = [0, 0];
  const blockKeys = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    return new Set(['key']);
  };
  const view = { revision: { space } } as RevisionView;
  const deps = { store: {}, work: { blockKeys } } as unknown as Parameters<typeof keysOfPages>[0];
  const pages = Array.from({ length: 60 }, (_, at) => ({ id: `p${at}` }) as PageEntry);
  const found = await keysOfPages(deps, { organization, view, pages });
  expect([...found.keys()].sort()).toEqual(
    pages
      .slice(0, 50)
      .map(({ id }) => id)
      .sort(),
  );
  expect(most).toBe(4);
});
