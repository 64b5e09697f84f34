import type { Caller, ContentCaller } from '../../../../shared/contract/caller.js';
import type { Context } from '../../../../shared/contract/service.js';
import { newId } from '../../../../shared/values/ids.js';
import { type ChangeRequestDocument, changeRequests } from '../../core/change-requests/model.js';
import { documentId, type FileEntry, type PageNode, pageDocuments } from '../../core/revisions/model.js';
import { commitImport } from '../../exchange/imports/commit-import.js';
import { importedSpace, query } from '../../exchange/imports/testing/imported-space.js';
import { readPages } from '../../format/workers/page-worker.js';
import { searchHandlers } from '../search/search-handlers.js';
import { indexPrimary } from '../search/search-index.js';
import { readingHandlers } from './reading-handlers.js';

const { organization, space, revisionIds, opened, visitor, user, pageOf } = importedSpace();
const changeRequestId = newId();
let read: ReturnType<typeof readingHandlers>;
beforeAll(async () => {
  read = readingHandlers(opened.deps);
  const [initial = '', revision = ''] = revisionIds;
  const now = '2026-01-01T00:00:00.000Z';
  const item: ChangeRequestDocument = {
    _id: changeRequestId,
    organization,
    space,
    number: 7,
    status: 'draft',
    subject: 'Newer',
    createdBy: 'ada',
    createdAt: now,
    updatedAt: now,
    revision,
    initial,
    base: initial,
    contributors: [],
  };
  await opened.store.insertMany(changeRequests, [item, { ...item, _id: newId(), space: newId() }]);
});

const versions: string[] = [];
const as = (caller: Caller) =>
  ({
    caller,
    access: { organization },
    declareVersion: (id: string) => versions.push(id),
    hasVersion: (id: string) => versions.push(id) === 0,
  }) as unknown as Context;
const inChangeRequest = (id = changeRequestId) => ({ spaceId: space, changeRequestId: id });

it('reads the same in each place', async () => {
  const [, revisionId = ''] = revisionIds;
  const pageId = (await pageOf('In it')).id;
  const request = { query: { evaluated: 'false' as const }, body: undefined };
  const texts = await Promise.all([
    read.getPageDocumentById({ path: { spaceId: space, pageId }, ...request }, as(user)),
    read.getPageDocumentInRevisionById({ path: { spaceId: space, revisionId, pageId }, ...request }, as(user)),
    read.getPageDocumentInChangeRequestById({ path: { ...inChangeRequest(), pageId }, ...request }, as(user)),
  ]);
  const [current, before, changed] = texts.map((text) => text.bytes.toString());
  expect(current).toContain('Newer');
  expect(before).toContain('Plain');
  expect(changed).toBe(before);
});

it('names the revision read as the version of each answer', async () => {
  versions.length = 0;
  for (const id of [changeRequestId, '7'])
    await read.listPagesInChangeRequest({ path: inChangeRequest(id), query, body: undefined }, as(user));
  expect(versions).toEqual([revisionIds[1], revisionIds[1]]);
});

it.each(['8', '0', 'unknown'])('does not find the change request %j', async (id) => {
  const request = { path: inChangeRequest(id), query, body: undefined };
  await expect(read.getRevisionOfChangeRequestById(request, as(user))).rejects.toMatchObject({
    type: 'NOT_FOUND',
    message: expect.stringMatching(/^Change request not found/),
  });
});

it.each<[string, Partial<ContentCaller>, boolean]>([
  ['its token names', { changeRequest: { space, id: changeRequestId } }, true],
  ['no token names', {}, false],
  ['its token does not name', { changeRequest: { space, id: 'other' } }, false],
  ['its token names in another space', { changeRequest: { space: 'other', id: changeRequestId } }, false],
])('reads a change request that %s for a visitor', async (_, named, found) => {
  const answer = read.listPagesInChangeRequest(
    { path: inChangeRequest('7'), query, body: undefined },
    as({ ...visitor(), ...named }),
  );
  if (found) await expect(answer).resolves.toBeDefined();
  else await expect(answer).rejects.toMatchObject({ type: 'NOT_FOUND' });
});

it('leads a visitor to what it previews by the revision, and by the one before', async () => {
  const [initial = '', changed = '', current = ''] = revisionIds;
  const idFor = async (revisionId: string, named: Partial<ContentCaller>) => {
    const request = { path: { spaceId: space, revisionId }, query, body: undefined };
    return (await read.getRevisionById(request, as({ ...visitor(), ...named }))).decode().id;
  };
  const previewing = { changeRequest: { space, id: changeRequestId } };
  expect(await idFor(changed, previewing)).toBe(changed);
  expect(await idFor(initial, previewing)).toBe(changed);
  expect(await idFor(current, previewing)).toBe(current);
  expect(await idFor(changed, {})).toBe(current);
  expect(await idFor(initial, { revision: { space, id: initial } })).toBe(initial);
  await expect(idFor(initial, { revision: { space: 'other', id: initial } })).rejects.toMatchObject({
    type: 'NOT_FOUND',
  });
});

it('pages through the files of the revision that the first page came from', async () => {
  const [older = ''] = revisionIds;
  const page = Buffer.from(JSON.stringify([older, 0])).toString('base64url');
  versions.length = 0;
  const request = { query: { ...query, page, limit: 5 }, body: undefined };
  await read.listFilesInChangeRequestById({ path: inChangeRequest(), ...request }, as(user));
  await read.listFiles({ path: { spaceId: space }, ...request }, as(user));
  expect(versions).toEqual([older, older]);
});

it('reads the store once, for the revision of the change request', async () => {
  const reads: string[] = [];
  const counting = new Proxy(opened.store, {
    get(store, name) {
      const member = Reflect.get(store, name);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]) => {
        reads.push(String(name));
        return member.apply(store, given);
      };
    },
  });
  const counted = readingHandlers({ ...opened.deps, store: counting });
  await counted.listPagesInChangeRequest({ path: inChangeRequest(), query, body: undefined }, as(user));
  expect(reads).toEqual(['get']);
});

describe('a page made in Bindery', () => {
  const path = (pageId: string) => ({ spaceId: space, pageId });
  const request = { query: { ...query, evaluated: 'true' as const }, body: undefined };
  const file = (id: string): FileEntry => ({ id, name: `${id}.png`, contentType: 'image/png', size: 1, blob: id });

  async function make(id: string, source: string, fields: Partial<PageNode> = {}) {
    const [parsed] = readPages([source]);
    if (!parsed || 'refused' in parsed) throw new Error('not a page');
    await opened.store.insertMany(pageDocuments, [{ _id: documentId(space, id), space, source, ...parsed }]);
    const { title = id, meta } = parsed;
    const { condition, plain } = meta;
    const own = { ...(condition ? { condition } : {}), ...(plain ? { plain } : {}), ...fields };
    return { id, type: 'document' as const, title, slug: id, path: id, document: id, pages: [], ...own };
  }

  beforeAll(async () => {
    const pages = [
      await make('made', '# Made\n\nSee [secret](/pages/secret#a).\n\n![one](/files/one)\n'),
      await make('some', '{% if visitor.claims.beta %}\n![two](/files/two)\n{% endif %}\n'),
      await make('secret', '---\nif: visitor.claims.beta\n---\n\n# Secret\n\n![three](/files/three)\n'),
      await make('renamed', '# Old name\n\nA walrus.\n', { title: 'New name', heading: 'Old name' }),
    ];
    const files = ['one', 'two', 'three', 'four'].map(file);
    const content = { pages, files, reusable: [], outside: [], variables: {}, tags: [] };
    await commitImport(opened.deps, { organization, space, parent: revisionIds[2] as string, content });
    await indexPrimary(opened.deps, { space });
  });

  it('shows a visitor the files of the pages that it sees', async () => {
    const shown = async (caller: Caller) => {
      const list = { path: { spaceId: space }, query: { ...query, limit: 5 }, body: undefined };
      return (await read.listFiles(list, as(caller))).items.map(({ id }) => id);
    };
    expect(await shown(visitor())).toEqual(['one']);
    expect(await shown(visitor({ beta: true }))).toEqual(['one', 'two', 'three']);
    expect(await shown(user)).toEqual(['one', 'two', 'three', 'four']);
  });

  it('links to pages and files by their ids', async () => {
    const document = async (caller: Caller) =>
      (await read.getPageDocumentById({ path: path('made'), ...request }, as(caller))).bytes.toString();
    expect(await document(user)).toContain('{"kind":"anchor","anchor":"a","page":"secret"}');
    expect(await document(user)).toContain('{"kind":"file","file":"one"}');
    expect(await document(visitor())).toContain('{"kind":"page","page":"broken"}');
    const markdown = { query: { ...request.query, format: 'markdown' as const }, body: undefined };
    const text = (await read.getPageById({ path: path('made'), ...markdown }, as(user))).decode().markdown;
    expect(text).toMatch(/^# Made\n\nSee \[secret\]\(secret#a\)\.\n\n!\[one\]\(http:\/\/localhost\/\S+\)\n$/);
  });

  it('renamed since is read without its former title', async () => {
    const formatted = async (format: 'document' | 'markdown' | 'source') =>
      (
        await read.getPageById(
          { path: path('renamed'), query: { ...request.query, format }, body: undefined },
          as(user),
        )
      ).decode();
    expect(JSON.stringify((await formatted('document')).document)).not.toContain('Old name');
    expect((await formatted('markdown')).markdown).toBe('# New name\n\nA walrus.\n');
    expect((await formatted('source')).source).toBe('# Old name\n\nA walrus.\n');
    const search = { path: { spaceId: space }, query: { query: 'walrus', limit: 5 }, body: undefined };
    const { items } = await searchHandlers(opened.deps).searchSpaceContent(search, as(user));
    expect(items.map(({ title, sections }) => [title, sections?.map((section) => section.title)])).toEqual([
      ['New name', ['New name']],
    ]);
  });
});
