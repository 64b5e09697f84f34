import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServiceBroker } from 'moleculer';
import { createBus } from '../shared/bus/bus.js';
import { type Call, callFrom } from '../shared/contract/service.js';
import { Jobs } from '../shared/jobs/jobs.js';
import { outboxCollection } from '../shared/jobs/outbox.js';
import { createLog } from '../shared/monitoring/log.js';
import { type Host, openPlatform, type Platform } from '../shared/process/platform.js';
import { readConfig } from '../shared/settings/config.js';
import { type Store, write } from '../shared/store/port.js';
import { eventually } from '../shared/testing/eventually.js';
import { newId, sha256 } from '../shared/values/ids.js';
import { commentsContract } from './comments/contract.js';
import { commentsService } from './comments/service.js';
import { comments } from './comments/texts/model.js';
import { consumers } from './consumers.js';
import { contentContract, findTarget, readTexts } from './content/contract.js';
import { documentId, pageDocuments, revisions } from './content/core/revisions/model.js';
import { RevisionCache } from './content/core/revisions/revision-cache.js';
import { newSpace } from './content/core/spaces/new-space.js';
import { Ledger } from './content/core/storage/ledger.js';
import { openCommentsChanged } from './content/events.js';
import { commitImport } from './content/exchange/imports/commit-import.js';
import { readTexts as readTextsHere } from './content/format/texts/read-text.js';
import { contentService } from './content/service.js';
import { findUsers } from './identity/contract.js';
import { memberId, members, organizations } from './identity/organizations/model.js';
import { identityService } from './identity/service.js';
import { users } from './identity/users/model.js';
import { newUser } from './identity/users/users.js';

const organization = newId();
const people = Array.from({ length: 101 }, (_, at) => newUser(`person-${at}@example.com`));
const [reader = newUser('reader@example.com'), ...authors] = people;

let folder: string;
let platform: Platform;
let broker: ServiceBroker;
/** What was asked of the bus and of the store since the last list. */
const asked = { calls: [] as string[], operations: [] as string[] };

const counted = (store: Store): Store =>
  new Proxy(store, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...given: { name?: string }[]) => {
        asked.operations.push(`${String(name)} ${given[0]?.name ?? ''}`);
        return value.apply(target, given);
      };
    },
  });

/** Counts the calls of all services. Texts are read here: workers run compiled modules. */
function countCalls(bus: ServiceBroker): void {
  const call = bus.call.bind(bus) as (action: string, parameters: any, options: object) => any;
  const counting = (action: string, parameters: any, options: object) => {
    asked.calls.push(action);
    if (action === readTexts.action) return Promise.resolve(readTextsHere(parameters.texts));
    return call(action, parameters, options);
  };
  bus.call = counting as unknown as ServiceBroker['call'];
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindery-list-cost-'));
  const log = createLog('silent');
  platform = await openPlatform(readConfig({ DATA_DIR: folder }), log);
  broker = createBus({ blobs: platform.blobs, log });
  const host: Host = { ...platform, store: counted(platform.store), broker, consumers };
  for (const service of [identityService, contentService, commentsService]) broker.createService(service(host));
  await broker.start();
  countCalls(broker);
  await platform.store.insert(organizations, { _id: organization, title: 'Acme', sso: false } as never);
  for (const user of people) {
    const _id = memberId(organization, user._id);
    const member = {
      _id,
      organization,
      user: user._id,
      role: 'admin',
      disabled: false,
      sso: false,
      joinedAt: user.createdAt,
    };
    await platform.store.batch([write.insert(users, user), write.insert(members, member as never)]);
  }
});
afterAll(async () => {
  await broker.stop();
  await platform.close();
  await rm(folder, { recursive: true });
});

const as = (user: string): Call =>
  callFrom(broker, {
    caller: {
      kind: 'user',
      user,
      token: 'token',
      memberships: { [organization]: { role: 'admin', teams: [], owned: [] } },
    },
    deadline: Date.now() + 30_000,
    requestId: 'test',
  });

/** A space with this many pages. */
async function filledSpace(count: number): Promise<{ space: string; pages: string[] }> {
  const { store, blobs } = platform;
  const { space, writes } = newSpace({ organization, creator: reader._id });
  await store.batch(writes);
  const ledger = new Ledger(store, blobs, 0);
  const owner = { organization, space: space._id };
  await ledger.openUsage(owner);
  const documents = Array.from({ length: count }, (_, at) => {
    const source = `# Page ${at}\n`;
    const meta = { hidden: false, noIndex: false, noRobotsIndex: false };
    return {
      _id: documentId(space._id, sha256(Buffer.from(source))),
      space: space._id,
      source,
      meta,
      sections: [],
      links: [],
    };
  });
  await ledger.addDocuments(owner, pageDocuments, documents);
  const pages = documents.map(({ _id }, at) => ({
    id: newId(),
    type: 'document' as const,
    title: `Page ${at}`,
    slug: `page-${at}`,
    path: `page-${at}`,
    document: _id.slice(space._id.length + 1),
    pages: [],
  }));
  const content = { pages, files: [], reusable: [], redirects: [], outside: [], variables: {}, tags: [] };
  const jobs = new Jobs({ store, service: 'content', log: createLog('silent'), exclusive: true });
  const deps = { store, ledger, revisions: new RevisionCache(store), jobs };
  await commitImport(deps, { organization, space: space._id, parent: space.revision, content });
  return { space: space._id, pages: pages.map(({ id }) => id) };
}

const emoji = ['👍', '🎉', '❤️'];

/** A space with comments on 20 pages, each by another author, resolved by a second and with reactions of others. */
async function commentedSpace(count: number): Promise<string> {
  const { space, pages } = await filledSpace(20);
  for (const [at, { _id }] of authors.slice(0, count).entries()) {
    const body = { markdown: `Comment ${at}` };
    const path = { spaceId: space };
    const page = pages[at % pages.length] as string;
    const { id: commentId } = await as(_id)(commentsContract.postCommentInSpace, { path, body: { body, page } });
    for (const each of [1, 2]) {
      const other = authors[(at + each * 7) % authors.length]?._id ?? '';
      const update = { addedReactions: [emoji[(at + each) % emoji.length] as string], resolved: each === 1 };
      await as(other)(commentsContract.updateCommentInSpace, { path: { ...path, commentId }, body: update });
    }
  }
  // As if each were about a block of its page.
  await platform.store.updateMany(comments, { space }, { $set: { node: { id: 'a', preview: 'A block' } } });
  return space;
}

type Query = { format?: 'document'; status?: 'open'; authors?: string[] };

/** What one list asks for; the first fills caches. */
async function costOf(space: string, query: Query): Promise<{ items: number; calls: string[]; operations: string[] }> {
  const list = () =>
    as(reader._id)(commentsContract.listCommentsInSpace, { path: { spaceId: space }, query: { ...query, limit: 100 } });
  await list();
  Object.assign(asked, { calls: [], operations: [] });
  const { items } = await list();
  return { items: items.length, calls: [...asked.calls].sort(), operations: [...asked.operations].sort() };
}

describe('a list of 100 comments by 100 authors on 20 pages', () => {
  let [few, many] = ['', ''];
  beforeAll(async () => {
    [few, many] = [await commentedSpace(2), await commentedSpace(100)];
  });

  it.each<[string, Query, calls: number]>([
    ['in Markdown', {}, 4],
    ['as documents', { format: 'document' }, 5],
    ['of open comments', { status: 'open' }, 4],
    ['of many authors', { authors: authors.slice(0, 50).map(({ _id }) => _id) }, 4],
  ])('%s asks for as much as one of two', async (_, query, calls) => {
    const [small, large] = [await costOf(few, query), await costOf(many, query)];
    expect([small.items, large.items]).toEqual([2, query.authors ? 50 : 100]);
    expect(large.calls).toEqual(small.calls);
    expect(large.operations).toEqual(small.operations);
    expect([large.calls.length, large.operations.length]).toEqual([calls, 5]);
  });
});

describe('a comment that is posted', () => {
  const ask = async <T>(question: () => Promise<T>): Promise<{ answer: T; questions: string[] }> => {
    Object.assign(asked, { calls: [], operations: [] });
    const answer = await question();
    return { answer, questions: asked.calls.filter((action) => /^content\.(?!resolve|receive)/.test(action)) };
  };
  const markdown = 'See [the guide](https://example.com/guide).';

  it('asks content where its page is and how its body reads, and is answered as it is read later', async () => {
    const { space: spaceId, pages } = await filledSpace(1);
    const path = { spaceId };
    const body = { body: { markdown }, page: pages[0] as string };
    const posted = await ask(() => as(reader._id)(commentsContract.postCommentInSpace, { path, body }));
    expect(posted.questions).toEqual([findTarget.action, readTexts.action]);
    const { id: commentId, target } = posted.answer;
    expect(target.page).toMatchObject({ title: 'Page 0', outdated: false });
    const query = { format: 'markdown' } as const;
    const got = await as(reader._id)(commentsContract.getCommentInSpace, { path: { ...path, commentId }, query });
    expect(got).toEqual(posted.answer);
  });

  it('and a reply to it asks how its body reads, and nothing else', async () => {
    const { space: spaceId, pages } = await filledSpace(1);
    const path = { spaceId };
    const body = { body: { markdown: 'Plain.' }, page: pages[0] as string };
    const posted = await ask(() => as(reader._id)(commentsContract.postCommentInSpace, { path, body }));
    expect(posted.questions).toEqual([findTarget.action]);
    const to = { ...path, commentId: posted.answer.id };
    const reply = { path: to, query: { format: 'markdown' as const } };
    const replied = await ask(() =>
      as(reader._id)(commentsContract.postCommentReplyInSpace, { ...reply, body: { body: { markdown } } }),
    );
    expect(replied.questions).toEqual([readTexts.action]);
    const { id: commentReplyId } = replied.answer;
    const one = { ...reply, path: { ...to, commentReplyId } };
    expect(await as(reader._id)(commentsContract.getCommentReplyInSpace, one)).toEqual(replied.answer);
  });
});

describe('spaces and their lists', () => {
  it('are read without a question to another service, and without a statement where nothing has changed', async () => {
    const { space: spaceId } = await filledSpace(1);
    const path = { spaceId };
    await as(reader._id)(commentsContract.postCommentInSpace, { path, body: { body: { markdown: 'One.' } } });
    const read = () => as(reader._id)(contentContract.getSpaceById, { path });
    const { background } = broker.getLocalService('comments') as unknown as { background: () => Promise<void> };
    await background();
    await eventually('the comment is counted', async () => (await read()).comments === 1);
    const { store } = platform;
    const told = { name: openCommentsChanged.name };
    await eventually(
      'content has handled it',
      async () => (await store.count(outboxCollection('comments'), told)) === 0,
    );
    const list = () =>
      as(reader._id)(contentContract.listSpacesInOrganizationById, { path: { organizationId: organization } });
    await list();
    Object.assign(asked, { calls: [], operations: [] });
    await Promise.all([read(), list()]);
    const own = [contentContract.getSpaceById, contentContract.listSpacesInOrganizationById].map(
      ({ action }) => action,
    );
    expect(asked.calls).toEqual([own[0], own[1], 'identity.resolveAccess.organization']);
    expect(asked.operations.filter((each) => !each.startsWith('derive'))).toEqual([]);
  });
});

describe('change requests, and revisions that are their merges', () => {
  it('are read without a question to comments, and without a statement besides their own', async () => {
    const { space: spaceId } = await filledSpace(1);
    const path = { spaceId };
    const made = await as(reader._id)(contentContract.createChangeRequest, { path, body: { subject: 'One' } });
    const one = { path: { spaceId, changeRequestId: made.id } };
    const drafts = { path, query: { status: 'draft' } } as const;
    const { revision } = made;
    await platform.store.update(revisions, { _id: revision }, { $set: { mergedFrom: made.id } });
    const readAll = async () => ({
      read: await as(reader._id)(contentContract.getChangeRequestById, one),
      listed: (await as(reader._id)(contentContract.listChangeRequestsForSpace, drafts)).items,
      merged: (await as(reader._id)(contentContract.getCurrentRevision, { path })).mergedFrom,
    });
    await readAll();
    Object.assign(asked, { calls: [], operations: [] });
    expect(await readAll()).toEqual({ read: made, listed: [made], merged: made });
    const own = [
      contentContract.getChangeRequestById,
      contentContract.listChangeRequestsForSpace,
      contentContract.getCurrentRevision,
    ];
    expect(asked.calls).toEqual(own.flatMap(({ action }) => [action, findUsers.action]));
    expect(asked.operations.filter((each) => !each.startsWith('derive'))).toEqual([
      'get content_change_requests',
      'count content_change_requests',
      'page content_change_requests',
    ]);
  });
});
