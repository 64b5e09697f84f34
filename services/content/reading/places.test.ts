import type { Caller } from '../../../shared/contract/caller.js';
import type { Context } from '../../../shared/contract/service.js';
import { newId } from '../../../shared/ids.js';
import { type ChangeRequestDocument, changeRequests } from '../change-requests/model.js';
import { importedSpace, query } from '../imports/testing/imported-space.js';
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
  ({ caller, access: { organization }, version: (id: string) => versions.push(id) }) as unknown as Context;
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

it('reads no change request for a visitor', async () => {
  const request = { path: inChangeRequest(), query, body: undefined };
  await expect(read.listPagesInChangeRequest(request, as(visitor()))).rejects.toMatchObject({ type: 'NOT_FOUND' });
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
