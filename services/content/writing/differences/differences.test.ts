import { write } from '../../../../shared/store/port.js';
import { newId } from '../../../../shared/values/ids.js';
import { isTaskFailure } from '../../../../shared/workers/workers.js';
import { type ChangeRequestDocument, changeRequests } from '../../core/change-requests/model.js';
import { newSpace } from '../../core/spaces/new-space.js';
import { importedSpace } from '../../exchange/imports/testing/imported-space.js';
import { marks } from '../../format/html/marks.js';
import type { PageWork } from '../../format/workers/page-work.js';
import { workHere } from '../../format/workers/testing/work-here.js';
import type { ComparedContent, ListedDifferences, ShowDifference } from '../contract/differences.js';
import { decodeShownDifference } from '../contract/differences.js';
import { BodyDifferences } from './body-differences.js';
import { listDifferences } from './list-differences.js';
import { showDifference } from './show-difference.js';

const { organization, space, revisionIds, opened, importFiles } = importedSpace();

const other = newId();
const note = '.gitbook/includes/note.md';
const old = {
  'SUMMARY.md':
    '# Contents\n\n* [Home](README.md)\n* [First](first.md)\n* [Gone](gone.md)\n  * [Gone too](gone/too.md)\n* [Second](second.md)\n* [Third](third.md)\n',
  'first.md':
    '---\ndescription: About it\nicon: book\n---\n\n# First\n\nSome old words, and [a link](second.md).\n\n![](.gitbook/assets/shot.png)\n',
  'gone.md': '# Gone\n\nNo more.\n',
  'gone/too.md': '# Gone too\n\nNo more.\n',
  'second.md': '# Second\n\nPlain.\n',
  'third.md': `# Third\n\nStays.\n\n{% include "${note}" %}\n`,
  '.gitbook/assets/shot.png': 'old pixels',
  '.gitbook/assets/paper.pdf': 'a paper',
};
const recent = {
  ...old,
  'SUMMARY.md':
    '# Contents\n\n* [Home](README.md)\n* [Third](third.md)\n* [First](first.md)\n* [The second](second.md)\n* [New](new.md)\n',
  'first.md':
    '---\ndescription: All about it\nhidden: true\nlayout:\n  outline:\n    visible: false\nvars:\n  a: 1\n---\n\n# First\n\nSome new words, and [a link](second.md).\n\n![](.gitbook/assets/shot.png)\n',
  'new.md': `# New\n\nFresh.\n\n![](.gitbook/assets/more.png)\n\n[](/spaces/${other})\n`,
  'gone.md': null,
  'gone/too.md': null,
  '.gitbook/assets/shot.png': 'new pixels',
  '.gitbook/assets/more.png': 'more pixels',
  '.gitbook/assets/paper.pdf': null,
  [note]: 'For everybody.\n',
  '.gitbook/vars.yaml': 'product: Bindery\nedition: third\n',
};

let [before, after] = ['', ''];
beforeAll(async () => {
  await opened.store.batch(newSpace({ organization, creator: 'ada', id: other, title: 'Other docs' }).writes);
  await importFiles(old);
  await importFiles(recent);
  [before, after] = revisionIds.slice(-2) as [string, string];
});

const withDifferences = (work = workHere) => ({
  ...opened.deps,
  work,
  differences: new BodyDifferences({ ...opened.deps, work }),
});
const list = async (one: ComparedContent, other: ComparedContent): Promise<ListedDifferences> =>
  (await listDifferences(opened.deps, { organization, space, before: one, after: other })).decode();
const show = async (of: Partial<ShowDifference> & object, deps = withDifferences()) =>
  decodeShownDifference(
    await showDifference(deps, {
      organization,
      space,
      before: { revision: before },
      after: { revision: after },
      ...of,
    } as ShowDifference),
  );
const idOf = async (revision: string, title: string) =>
  [...(await opened.deps.revisions.get(space, revision)).pageById.values()].find((page) => page.title === title)?.id ??
  '';

/** Things in short: their names, and what became of them. */
const named = <T extends { before?: object; after?: object; changes: string[] }>({ items }: { items: T[] }) =>
  items.map((item) => {
    const { title, name } = { ...item.before, ...item.after } as Record<string, string>;
    return [title ?? name, ...item.changes];
  });

it('lists what differs, in the order of the later tree, with removed pages where they stood', async () => {
  const { revisions, pages, files, reusableContents, variables } = await list(
    { revision: before },
    { revision: after },
  );
  expect(revisions).toEqual({ before, after });
  expect(named(pages)).toEqual([
    ['Third', 'moved'],
    ['First', 'edited'],
    ['Gone', 'removed'],
    ['Gone too', 'removed'],
    ['The second', 'renamed'],
    ['New', 'added'],
  ]);
  expect(
    pages.items.filter(({ hasOtherBody }) => hasOtherBody).map((page) => (page.after ?? page.before)?.path),
  ).toEqual(['first', 'gone', 'gone/too', 'new']);
  expect(pages.items[4]).toMatchObject({
    before: { title: 'Second', path: 'second' },
    after: { title: 'The second', path: 'second' },
  });
  expect(named(files)).toEqual([
    ['more.png', 'added'],
    ['shot.png', 'edited'],
    ['paper.pdf', 'removed'],
  ]);
  expect(files.items.map((file) => (file.after ?? file.before)?.isImage)).toEqual([true, true, false]);
  expect(new Set(files.items.flatMap((file) => [file.before?.path, file.after?.path])).size).toBe(5);
  expect(named(reusableContents)).toEqual([['note', 'edited']]);
  expect(variables).toEqual({ total: 1, items: [{ name: 'edition', after: '"third"' }] });
});

it('lists the same the other way round, and nothing between equal contents', async () => {
  const { pages, files } = await list({ revision: after }, { revision: before });
  expect(named(pages)).toEqual([
    ['First', 'edited'],
    ['Gone', 'added'],
    ['Gone too', 'added'],
    ['Second', 'renamed'],
    ['New', 'removed'],
    ['Third', 'moved'],
  ]);
  expect(files.total).toBe(3);
  const nothing = { total: 0, items: [] };
  expect(await list({ current: true }, { revision: after })).toMatchObject({ pages: nothing, files: nothing });
});

it('compares a revision with the one before it, and the first with nothing', async () => {
  const made = await list({ parentOf: after }, { revision: after });
  expect(made).toEqual(await list({ revision: before }, { revision: after }));
  const view = await opened.deps.revisions.get(space, revisionIds[0] as string);
  const first = view.revision.parents[0] as string;
  const { revisions, pages } = await list({ parentOf: first }, { revision: revisionIds[0] as string });
  expect(revisions).toEqual({ after: revisionIds[0] });
  expect(pages.items.every(({ changes }) => changes.join() === 'added')).toBe(true);
  expect(pages.total).toBe(view.pageById.size);
});

it('compares a change request with the content that it includes, by its id and its number', async () => {
  const item = { _id: newId(), organization, space, number: 7, status: 'open', revision: after, base: before };
  await opened.store.batch([write.insert(changeRequests, item as ChangeRequestDocument)]);
  const expected = await list({ revision: before }, { revision: after });
  for (const name of [item._id, '7']) expect(await list({ baseOf: name }, { changeRequest: name })).toEqual(expected);
});

it('shows the fields and the body of a page, with what it shows and where it leads', async () => {
  const made = await show({ page: await idOf(after, 'First') });
  expect(made?.changes).toEqual(['edited']);
  expect(made?.page).toMatchObject({ title: 'First', description: 'All about it', layout: { outline: false } });
  expect(made?.fields).toEqual([
    { field: 'description', before: 'About it', after: 'All about it' },
    { field: 'icon', before: 'book' },
    { field: 'hidden', before: false, after: true },
    { field: 'layout', name: 'outline', before: 'true', after: 'false' },
    { field: 'variables', name: 'a', after: '1' },
  ]);
  expect(made?.form).toBe('blocks');
  expect(made?.parts.map(({ kind }) => kind)).toEqual(['changed', 'changed']);
  expect(made?.parts[0]).toMatchObject({
    html: `<p>Some <del>old</del><ins>new</ins> words, and <a href="${marks.page('second')}">a link</a>.</p>`,
  });
  const [was, is] = (await list({ revision: before }, { revision: after })).files.items.flatMap((file) =>
    file.changes.includes('edited') ? [file.before, file.after] : [],
  );
  expect(made?.parts[1]).toMatchObject({
    before: expect.stringContaining(`src="${marks.file(was?.path ?? '')}"`),
    after: expect.stringContaining(`src="${marks.file(is?.path ?? '')}"`),
  });
});

it('shows added and removed pages whole, and pages that include what changed', async () => {
  const kinds = async (of: Promise<string>) => (await show({ page: await of }))?.parts.map(({ kind }) => kind);
  expect(await kinds(idOf(after, 'New'))).toEqual(['added', 'added', 'added']);
  expect(await kinds(idOf(before, 'Gone too'))).toEqual(['removed']);
  expect(await kinds(idOf(after, 'Third'))).toEqual(['same', 'changed']);
});

it('names other spaces only to those who may view them', async () => {
  const page = await idOf(after, 'New');
  expect((await show({ page }))?.outside).toEqual([null]);
  const target = { kind: 'page', space: other, path: '', title: 'Other docs' };
  expect((await show({ page, spaces: [other] }))?.outside).toEqual([target]);
});

it('shows the body of reusable content', async () => {
  const { reusable } = await opened.deps.revisions.get(space, after);
  const made = await show({ reusableContent: reusable[0]?.id as string });
  expect(made).toMatchObject({ changes: ['edited'], before: { title: 'note' }, fields: [], outside: [] });
  // Conditions are shown as they are written.
  expect(made?.parts.map((part) => [part.kind, JSON.stringify(part).includes('visitor.claims.beta')])).toEqual([
    ['removed', true],
    ['changed', false],
  ]);
});

it('has nothing of pages that neither side has, and of content that is not of the space', async () => {
  expect(await show({ page: 'none' })).toBeNull();
  expect(await show({ reusableContent: 'none' })).toBeNull();
  const refused = { type: 'NOT_FOUND' };
  const page = await idOf(after, 'New');
  for (const asked of [
    { space: other, after: { revision: before } },
    { space: 'none' },
    { organization: 'other' },
    { before: { revision: 'none' } },
    { before: { parentOf: 'none' } },
    { after: { changeRequest: 'none' } },
    { after: { baseOf: '8' } },
  ])
    await expect(show({ page, ...asked })).rejects.toMatchObject(refused);
});

it('compares two bodies once, and shows by lines what takes too much', async () => {
  let compared = 0;
  const difference: PageWork['difference'] = (...asked) => {
    compared++;
    return workHere.difference(...asked);
  };
  const page = await idOf(after, 'First');
  const deps = withDifferences({ ...workHere, difference });
  expect(await show({ page }, deps)).toEqual(await show({ page }, deps));
  expect(compared).toBe(1);

  const failure = Object.assign(new Error('too long'), { failure: 'deadline' });
  expect(isTaskFailure(failure)).toBe(true);
  const tooLong = async () => {
    throw failure;
  };
  const slow = await show({ page }, withDifferences({ ...workHere, difference: tooLong }));
  expect([slow?.form, slow?.parts.map(({ kind }) => kind)]).toEqual([
    'lines',
    ['same', 'removed', 'added', 'same', 'removed', 'added', 'same'],
  ]);
  const slowest = await show({ page }, withDifferences({ ...workHere, difference: tooLong, lineDifference: tooLong }));
  expect(slowest).toMatchObject({ form: 'tooLarge', parts: [], changes: ['edited'] });
});

it('shows every field of a page that differs', async () => {
  const page = (matter: string, title: string) => ({ 'second.md': `---\n${matter}\n---\n\n# ${title}\n` });
  const summary = (address: string) => ({
    'SUMMARY.md': `# Contents\n\n* [First](first.md)\n* [In short](second.md "Short")\n* [Link](${address})\n`,
  });
  const shot = '.gitbook/assets/shot.png';
  await importFiles({
    ...recent,
    ...page(`emoji: 1f389\ntags:\n  - tag: one`, 'Second'),
    ...summary('https://a.example'),
  });
  await importFiles({
    ...recent,
    ...page(
      `cover: ${shot}\ncoverY: 12\nif: visitor.claims.a\nnoIndex: true\ntags:\n  - tag: two\nmetaLinks:\n  canonical: https://b.example`,
      'Second',
    ),
    ...summary('https://b.example'),
  });
  const sides = { before: { revision: revisionIds.at(-2) }, after: { revision: revisionIds.at(-1) } } as object;
  const fieldsOf = async (title: string) =>
    (await show({ page: await idOf(revisionIds.at(-1) as string, title), ...sides }))?.fields;
  expect(await fieldsOf('In short')).toEqual([
    { field: 'emoji', before: '🎉' },
    { field: 'condition', after: 'visitor.claims.a' },
    { field: 'noIndex', before: false, after: true },
    { field: 'tags', before: ['one'], after: ['two'] },
    { field: 'metaLinks', before: [], after: ['https://b.example'] },
    { field: 'cover', after: { image: { src: expect.stringContaining('/~files/'), isFile: true }, yPos: 12 } },
  ]);
  expect(await fieldsOf('Link')).toEqual([
    { field: 'target', before: 'https://a.example', after: 'https://b.example' },
  ]);
});

it('lists a part of very many', async () => {
  const many = Object.fromEntries(Array.from({ length: 520 }, (_, at) => [`n${at}.md`, `# N${at}\n`]));
  const summary = `${recent['SUMMARY.md']}${Object.keys(many)
    .map((name) => `* [${name}](${name})\n`)
    .join('')}`;
  await importFiles({ ...recent, ...many, 'SUMMARY.md': summary });
  const { pages } = await list({ revision: after }, { current: true });
  expect(pages.total).toBeGreaterThanOrEqual(520);
  expect(pages.items).toHaveLength(500);
});
