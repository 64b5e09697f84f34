import type { Caller } from '../../../../shared/contract/caller.js';
import type { Call } from '../../../../shared/contract/service.js';
import { write } from '../../../../shared/store/port.js';
import { newId } from '../../../../shared/values/ids.js';
import { findPrincipals } from '../../../identity/contract.js';
import type { Role } from '../../../identity/resources.js';
import { treeVersionWrite } from '../../core/access/model.js';
import { type CollectionDocument, collections, type SpaceDocument, spaces } from '../../core/nodes/model.js';
import { buildView, eachPageOf, type PageEntry } from '../../core/revisions/revision-view.js';
import { newSpace } from '../../core/spaces/new-space.js';
import { importedSpace } from '../../exchange/imports/testing/imported-space.js';
import type { ContentRef } from '../../format/resources.js';
import { LinkCollector } from './link-collector.js';
import { statusesOf } from './link-lists.js';
import { StoredLinks } from './stored-links.js';
import { VisibleContent } from './visible-content.js';

const { organization, space, revisionIds, opened } = importedSpace();
const room = { uses: 100_000, bytes: 1e9 };
const other = newId();
const member = 'grace';

/** The space that is linked from is another one of the same organization. */
const linkingFrom = newId();

beforeAll(async () => {
  const { store, deps } = opened;
  const made = (changes: Partial<SpaceDocument>) => ({
    ...newSpace({ organization, creator: 'ada' }).space,
    ...changes,
  });
  const shelf: CollectionDocument = {
    _id: 'shelf',
    organization,
    parent: null,
    title: 'Shelf',
    defaultLevel: 'inherit',
    creator: 'ada',
    createdAt: '2026-01-01T00:00:00.000Z',
  };
  await store.batch([
    write.insertMany(spaces, [
      made({ _id: 'hidden', defaultLevel: null }),
      made({ _id: 'deleted', deletedAt: '2026-01-01T00:00:00.000Z' }),
      made({ _id: 'foreign', organization: other }),
    ]),
    write.insertMany(collections, [shelf, { ...shelf, _id: 'sealed', defaultLevel: null }]),
    treeVersionWrite(organization),
  ]);
  deps.trees.drop(organization);
});

const callerAs = (role: Role | null, user = 'bob'): Caller => ({
  kind: 'user',
  user,
  token: 't',
  memberships: { [organization]: { role, teams: [], owned: [] } },
});

/** Identity, which knows one member. */
const call = (async (verb: unknown, { users }: { users: string[] }) => {
  expect(verb).toBe(findPrincipals);
  const found = users.filter((user) => user === member || user === 'bob');
  return { members: found.map((user) => ({ user, resource: { object: 'user', id: user } })), teams: [] };
}) as unknown as Call;

/** The status of each reference, as the target of a link in a space of the organization. */
async function statuses(refs: ContentRef[], caller: Caller): Promise<string[]> {
  const { store, deps } = opened;
  const pages = refs.map((target, at): PageEntry => {
    return { id: `p${at}`, type: 'link', title: `L${at}`, slug: '', path: '', target, pages: [] };
  });
  const { revision } = await deps.revisions.get(space, revisionIds[2] as string);
  const content = { pages, files: [], reusable: [], outside: [] };
  const view = await buildView({ ...revision, space: linkingFrom }, content, 0);
  const stored = new StoredLinks({ store, space: linkingFrom });
  const { targets } = await collected(new LinkCollector({ view, baseUrl: deps.baseUrl }, stored, room), pages);
  const access = { organization, role: 'read', state: 'active' as const };
  const visible = await VisibleContent.for(deps, { call, caller, access });
  const statusOf = await statusesOf(deps, visible, { targets, lacking: new Set() });
  return [...targets.values()].map(statusOf);
}

async function collected(collector: LinkCollector, pages: PageEntry[]): Promise<LinkCollector> {
  await collector.collect(pages.map((page) => ({ page })));
  return collector;
}

const places = ['hidden', 'deleted', 'foreign', 'unknown'].map((id) => ({ kind: 'space', space: id }));
const shelves = ['shelf', 'sealed', 'unknown'].map((id) => ({ kind: 'collection', collection: id }));
const people = [member, 'bob', 'nobody'].map((user) => ({ kind: 'user', user }));

it.each<[string, Caller, string[]]>([
  ['an admin', callerAs('admin'), ['ok', 'broken', 'broken', 'broken']],
  ['a reader', callerAs('read'), ['broken', 'broken', 'broken', 'broken']],
])('spaces that %s may not see are broken', async (_, caller, expected) => {
  expect(await statuses([{ kind: 'space', space }, ...places], caller)).toEqual(['ok', ...expected]);
});

it('collections are those that the caller may see, and users the members', async () => {
  expect(await statuses([...shelves, ...people], callerAs('read'))).toEqual([
    ...['ok', 'broken', 'broken'],
    ...['ok', 'ok', 'broken'],
  ]);
  expect(await statuses(shelves, callerAs('admin'))).toEqual(['ok', 'ok', 'broken']);
  expect(await statuses(people, callerAs(null))).toEqual(['broken', 'ok', 'broken']);
});

it('pages of other spaces exist with their anchors, for who may see the space', async () => {
  const { deps } = opened;
  const home = [...eachPageOf((await deps.revisions.current(space)).pages)].find(({ title }) => title === 'Home');
  const page = home?.id as string;
  const refs = [
    { kind: 'page', space, page },
    { kind: 'page', space, page: 'unknown' },
    { kind: 'anchor', space, page, anchor: 'home' },
    { kind: 'anchor', space, page, anchor: 'none' },
    { kind: 'page', space: 'hidden', page },
  ];
  expect(await statuses(refs, callerAs('read'))).toEqual(['ok', 'broken', 'ok', 'broken', 'broken']);
  expect(await statuses(refs, callerAs(null))).toEqual(Array.from({ length: 5 }, () => 'broken'));
});

it('links to more users and other spaces than an answer may look up are 422', async () => {
  const many = Array.from({ length: 5001 }, (_, at) => ({ kind: 'user', user: `u${at}` }));
  await expect(statuses(many, callerAs('read'))).rejects.toMatchObject({ type: 'UNPROCESSABLE' });
});
