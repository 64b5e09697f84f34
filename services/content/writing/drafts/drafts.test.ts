import type { Caller } from '../../../../shared/contract/caller.js';
import { write } from '../../../../shared/store/port.js';
import { timestamp } from '../../../../shared/values/ids.js';
import { type ChangeRequestDocument, changeRequests } from '../../core/change-requests/model.js';
import { spaces } from '../../core/nodes/model.js';
import { purgeSpaceJob } from '../../core/spaces/trash.js';
import { importedSpace } from '../../exchange/imports/testing/imported-space.js';
import type { KeepDraft } from '../contract.js';
import { listDrafts } from './draft-list.js';
import { removeDraftsOf, sweepDraftsJob } from './draft-removal.js';
import { dropDraft, keepDraft, readDraft } from './drafts.js';
import { drafts, draftTexts } from './model.js';

const { organization, space, opened, user: ada, revisionIds, pageOf } = importedSpace();

const person = (user: string, role: string | null): Caller => ({
  kind: 'user',
  user,
  token: 't',
  memberships: { [organization]: { role, teams: [], owned: [] } },
});

let number = 0;
async function newChangeRequest(status: ChangeRequestDocument['status'] = 'draft') {
  number += 1;
  const { revision } = await opened.deps.revisions.current(space);
  const [now, _id] = [timestamp(), `cr${number}`];
  const points = { revision: revision._id, initial: revision._id, base: revision._id };
  const made = { subject: '', createdBy: 'ada', contributors: [], createdAt: now, updatedAt: now };
  await opened.store.insert(changeRequests, { _id, organization, space, number, status, ...made, ...points });
  return _id;
}

const place = (changeRequest: string, page = 'page1') => ({ space, changeRequest, page });
const keep = (asked: Omit<KeepDraft, 'revision'>, caller: Caller = ada) =>
  keepDraft(opened.deps, { revision: 'rev', ...asked }, { caller });
const read = (asked: ReturnType<typeof place>, caller: Caller = ada) => readDraft(opened.deps, asked, { caller });
async function kept(asked: Omit<KeepDraft, 'revision'>, caller: Caller = ada) {
  const answer = await keep(asked, caller);
  if ('conflict' in answer) throw new Error('a conflict');
  return answer;
}

beforeEach(() => opened.store.batch([write.delete(drafts, {}), write.delete(draftTexts, {})]));

it('a draft is kept byte for byte, for its writer alone', async () => {
  const here = place(await newChangeRequest());
  const markdown = '\uFEFF---\r\ntitle: x\r\n---\r\n\0tab\t \r mixed\n  no end';
  const { version, savedAt } = await kept({ ...here, markdown });
  const stored = { page: 'page1', changeRequest: here.changeRequest, revision: 'rev', updatedAt: savedAt };
  expect(await read(here)).toEqual({ ...stored, markdown, version });
  expect(await read(here, person('bob', 'edit'))).toBeNull();
  expect(await read(place(await newChangeRequest()))).toBeNull();
});

it('windows of one person do not overwrite each other', async () => {
  const here = place(await newChangeRequest());
  const first = await kept({ ...here, markdown: 'one' });
  const second = await kept({ ...here, markdown: 'two', version: first.version });
  const other = await keep({ ...here, markdown: 'other', version: first.version });
  expect(other).toMatchObject({ conflict: { markdown: 'two', version: second.version } });
  expect(await keep({ ...here, markdown: 'other' })).toEqual(other);
  expect(await kept({ ...here, markdown: 'other', version: second.version })).toBeTruthy();
});

it('a text that is kept already is no conflict: the answer may have been lost', async () => {
  const here = place(await newChangeRequest());
  const { version } = await kept({ ...here, markdown: 'one' });
  expect(await kept({ ...here, markdown: 'one' })).toMatchObject({ version });
  const next = await kept({ ...here, markdown: 'two', version });
  expect(await kept({ ...here, markdown: 'two', version })).toEqual(next);
});

it('a draft that another window discarded is kept anew', async () => {
  const here = place(await newChangeRequest());
  const { version } = await kept({ ...here, markdown: 'one' });
  expect(await dropDraft(opened.deps, { ...here, version: 'another' }, { caller: ada })).toBe(false);
  expect(await dropDraft(opened.deps, { ...here, version }, { caller: ada })).toBe(true);
  expect(await dropDraft(opened.deps, here, { caller: ada })).toBe(false);
  await kept({ ...here, markdown: 'two', version });
  expect(await read(here)).toMatchObject({ markdown: 'two' });
});

it('of windows that begin at once, one keeps its text and the others hear of it', async () => {
  const here = place(await newChangeRequest());
  const texts = ['one', 'two', 'three', 'four'];
  const answers = await Promise.all(texts.map((markdown) => keep({ ...here, markdown })));
  expect(answers.filter((each) => 'version' in each)).toHaveLength(1);
  const { markdown } = (await read(here)) as { markdown: string };
  expect(answers.flatMap((each) => ('conflict' in each ? each.conflict.markdown : []))).toEqual(
    Array(3).fill(markdown),
  );
});

it('needs the right to edit, as long as it is there', async () => {
  const here = place(await newChangeRequest());
  await kept({ ...here, markdown: 'one' }, person('bob', 'edit'));
  for (const role of ['comment', 'read']) {
    const caller = person('bob', role);
    const refused = { type: 'FORBIDDEN' };
    await expect(keep({ ...here, markdown: 'two' }, caller)).rejects.toMatchObject(refused);
    await expect(read(here, caller)).rejects.toMatchObject(refused);
    expect(await listDrafts(opened.deps, { organization }, caller)).toEqual([]);
    await expect(dropDraft(opened.deps, here, { caller })).rejects.toMatchObject(refused);
  }
  const stranger: Caller = { kind: 'user', user: 'eve', token: 't', memberships: {} };
  await expect(read(here, stranger)).rejects.toMatchObject({ type: 'NOT_FOUND' });
  await expect(read(here, { kind: 'anonymous' })).rejects.toMatchObject({ type: 'UNAUTHENTICATED' });
  await expect(read(here, { kind: 'system' })).rejects.toMatchObject({ type: 'FORBIDDEN' });
  expect(await read(here, person('bob', 'edit'))).toMatchObject({ markdown: 'one' });
});

it('is of what may be written: an open change request, a live space', async () => {
  const closed = place(await newChangeRequest('merged'));
  await expect(keep({ ...closed, markdown: 'x' })).rejects.toMatchObject({ type: 'INVALID' });
  await expect(keep({ ...place('none'), markdown: 'x' })).rejects.toMatchObject({ type: 'NOT_FOUND' });
  const primary = { space, page: 'page1' };
  await expect(keep({ ...primary, markdown: 'x' })).rejects.toMatchObject({ type: 'INVALID' });
  await opened.store.update(spaces, { _id: space }, { $set: { editMode: 'live' } });
  await kept({ ...primary, markdown: 'x' });
  await opened.store.update(spaces, { _id: space }, { $set: { editMode: 'locked' } });
  expect(await readDraft(opened.deps, primary, { caller: ada })).toMatchObject({ markdown: 'x' });
});

it('lists the drafts of a person in an organization, the latest first, with what they belong to', async () => {
  const changeRequest = await newChangeRequest();
  const { id: page } = await pageOf('Plan');
  const revision = revisionIds.at(-1) as string;
  const keepIn = (asked: object) =>
    keepDraft(opened.deps, { space, page, markdown: 'x', revision, ...asked }, { caller: ada });
  await keepIn({ changeRequest });
  await kept({ ...place(changeRequest, page), markdown: 'x' }, person('bob', 'edit'));
  await opened.store.update(spaces, { _id: space }, { $set: { editMode: 'live', title: 'Manual' } });
  await keepIn({});
  await opened.store.update(changeRequests, { _id: changeRequest }, { $set: { subject: 'Plans' } });
  await keepIn({ page: 'unknown' });
  const ids = [`${space}:${page}`, `${changeRequest}:${page}`, `${space}:unknown`].map((each) => `ada:${each}`);
  for (const [at, _id] of ids.entries())
    await opened.store.update(drafts, { _id }, { $set: { updatedAt: `2026-01-0${at + 1}T00:00:00.000Z` } });
  const listed = await listDrafts(opened.deps, { organization }, ada);
  const common = { space: { id: space, title: 'Manual' }, version: expect.any(String), updatedAt: expect.any(String) };
  const ofRequest = { changeRequest: { number, subject: 'Plans' } };
  expect(listed).toEqual([
    { ...common, page: 'unknown' },
    { ...common, page, title: 'Plan', path: 'plan', ...ofRequest },
    { ...common, page, title: 'Plan', path: 'plan' },
  ]);
  for (const { space: of, changeRequest: request, page: named } of listed)
    await dropDraft(
      opened.deps,
      { space: of.id, changeRequest: request && String(request.number), page: named },
      { caller: ada },
    );
  expect(await listDrafts(opened.deps, { organization }, ada)).toEqual([]);
  expect(await listDrafts(opened.deps, { organization }, person('bob', 'edit'))).toHaveLength(1);
  expect(await listDrafts(opened.deps, { organization }, { kind: 'system' })).toEqual([]);
});

it('names a change request by its number, too', async () => {
  const one = await newChangeRequest();
  await kept({ ...place(one), markdown: 'x' });
  expect(await read(place(String(number)))).toMatchObject({ changeRequest: one });
});

it('refuses what is too long, no text, no page, or more than a person may have', async () => {
  const here = place(await newChangeRequest());
  const refused = async (asked: Partial<KeepDraft>, type = 'INVALID') =>
    expect(keep({ ...here, markdown: 'x', ...asked })).rejects.toMatchObject({ type });
  await refused({ markdown: 'x'.repeat(2_000_001) });
  await refused({ markdown: '\ud800' });
  for (const page of ['', 'a b', 'new:', 'new:a-b', `new:${'a'.repeat(41)}`, 'a:b', 'x'.repeat(101)])
    await refused({ page });
  const large = 'ü'.repeat(2_000_000);
  for (let at = 0; at < 12; at++) await kept({ ...here, page: `large${at}`, markdown: large });
  await refused({ page: 'large12', markdown: large }, 'CONFLICT');
  const { version } = await kept({ ...here, page: 'small', markdown: 'x' });
  await refused({ page: 'small', markdown: large, version }, 'CONFLICT');
  await kept({ ...here, page: 'small', markdown: 'y', version });
  for (let at = 13; at < 100; at++) await kept({ ...here, page: `small${at}`, markdown: 'x' });
  await refused({ page: 'one-more' }, 'CONFLICT');
  await kept({ ...here, page: 'one-more', markdown: 'x' }, person('bob', 'edit'));
});

describe('drafts go', () => {
  const rest = async () => {
    const all = { filter: {}, sort: {}, limit: 9 };
    const { items } = await opened.store.page(drafts, all);
    const withTexts = (await opened.store.page(draftTexts, all)).items.map(({ markdown: _, ...draft }) => draft);
    expect(withTexts).toEqual(items);
    return items;
  };

  it('when nobody touched them for 90 days', async () => {
    const here = place(await newChangeRequest());
    await kept({ ...here, page: 'old', markdown: 'x' });
    await kept({ ...here, page: 'recent', markdown: 'x' });
    const age = (page: string, days: number) => {
      const updatedAt = timestamp(new Date(Date.now() - days * 86_400_000));
      return opened.store.batch(
        [drafts, draftTexts].map((each) => write.update(each as typeof drafts, { page }, { $set: { updatedAt } })),
      );
    };
    await age('old', 91);
    await age('recent', 89);
    const { signal } = new AbortController();
    expect(await sweepDraftsJob(opened.deps).run({ signal } as never)).toHaveProperty('runAt');
    expect(await rest()).toMatchObject([{ page: 'recent' }]);
  });

  it('when their writer leaves the organization, but for what came after', async () => {
    const here = place(await newChangeRequest());
    await kept({ ...here, markdown: 'x' });
    await kept({ ...here, markdown: 'x' }, person('bob', 'edit'));
    await removeDraftsOf(opened.deps, { organization, user: 'bob', before: '2020-01-01T00:00:00.000Z' });
    expect(await rest()).toHaveLength(2);
    await removeDraftsOf(opened.deps, { organization, user: 'bob', before: '9999-01-01T00:00:00.000Z' });
    expect(await rest()).toMatchObject([{ user: 'ada' }]);
  });

  it('with their space', async () => {
    await kept({ ...place(await newChangeRequest()), markdown: 'x' });
    const deletedAt = timestamp();
    await opened.store.update(spaces, { _id: space }, { $set: { deletedAt } });
    const outbox = { add: () => ({ op: 'all', writes: [] }) };
    const job = purgeSpaceJob({ ...opened.deps, outbox, ofSpaces: [drafts, draftTexts] } as never);
    await job.run({ job: { payload: { space, deletedAt } }, signal: new AbortController().signal } as never);
    expect(await rest()).toEqual([]);
  });
});
