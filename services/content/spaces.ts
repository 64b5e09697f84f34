import type { Access } from '../../shared/contract/access.js';
import type { Caller } from '../../shared/contract/caller.js';
import type { Context } from '../../shared/contract/service.js';
import { conflict, forbidden, invalid, notFound } from '../../shared/errors.js';
import { newId, timestamp } from '../../shared/ids.js';
import { decodeCursor, encodeCursor, type Order, type Page, type PageRequest } from '../../shared/paging.js';
import { again } from '../../shared/store/again.js';
import { type Store, type Update, type Write, write } from '../../shared/store/port.js';
import type { Jobs } from '../../shared/work/jobs.js';
import type { Outbox } from '../../shared/work/outbox.js';
import type { Role } from '../identity/resources.js';
import { deepest, depthOf, nodeOf, type TreeNode } from './content-tree.js';
import type { ContentTrees } from './content-trees.js';
import { spaceUpdated } from './events.js';
import { checkLevel } from './grants.js';
import type { MemberLists } from './member-lists.js';
import { collections, presentSpace, revisions, type SpaceDocument, spaces } from './model.js';
import type { Readable } from './reach.js';
import type { DefaultLevel, Space } from './resources.js';

export const purgeSpace = 'purgeSpace';
const graceMs = 7 * 24 * 3600_000;

/** What the rules of spaces and collections work with. */
export interface ContentRules {
  store: Store;
  trees: ContentTrees;
  jobs: Jobs;
  members: MemberLists;
  outbox: Outbox;
  baseUrl: string;
}

/** Who acts on what, and how that is recorded. */
export type Acting = Pick<Context, 'caller' | 'access' | 'audit'>;

export interface SpaceInput {
  title?: string | undefined;
  emoji?: string | undefined;
  parent?: string | undefined;
  language?: string | undefined;
  editMode?: SpaceDocument['editMode'] | undefined;
}

const userOf = (caller: Caller): string => (caller.kind === 'user' ? caller.user : caller.kind);

/** A collection of this organization in which the caller may create; 400 names `parent`. */
export async function checkParent(
  rules: ContentRules,
  organization: string,
  caller: Caller,
  parent: string,
): Promise<void> {
  const [access] = await rules.trees.resolve({ caller, ids: [parent] }, 'collection');
  if (!access || access.organization !== organization) throw invalid('parent: no such collection in this organization');
  if (access.role !== 'admin' && access.role !== 'create')
    throw forbidden('parent: you may not create content in this collection');
  if (depthOf(await rules.trees.of(organization), parent) >= deepest)
    throw invalid(`parent: collections nest at most ${deepest} deep`);
}

/** The collection is there still when something is put into it. */
export const parentStands = (parent: string | undefined): Write[] =>
  parent === undefined ? [] : [write.check(collections, { _id: parent }, 1)];

/** A space with an empty first revision, and the writes that make it. */
export function newSpace(
  organization: string,
  creator: string,
  input: SpaceInput,
  id = newId(),
): { space: SpaceDocument; writes: Write[] } {
  const now = timestamp();
  const revision = newId();
  const { title = 'Untitled space', emoji, parent = null, language, editMode = 'locked' } = input;
  const space: SpaceDocument = {
    _id: id,
    organization,
    parent,
    title,
    ...(emoji ? { emoji } : {}),
    ...(language ? { language } : {}),
    editMode,
    defaultLevel: 'inherit',
    creator,
    revision,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  };
  const empty = {
    _id: revision,
    space: space._id,
    parents: [],
    type: 'edits' as const,
    pages: [],
    files: [],
    reusable: [],
    createdAt: now,
  };
  return { space, writes: [write.insert(spaces, space), write.insert(revisions, empty)] };
}

export async function createSpace(
  rules: ContentRules,
  organization: string,
  { caller, audit }: Acting,
  input: SpaceInput,
): Promise<Space> {
  const { parent } = input;
  const { space, writes } = newSpace(organization, userOf(caller), input);
  await rules.trees.change(organization, space._id, async () => {
    if (parent !== undefined) await checkParent(rules, organization, caller, parent);
    const { title, editMode } = space;
    const details = { title, editMode, ...(parent === undefined ? {} : { parent }) };
    return {
      writes: [...writes, ...parentStands(parent), audit('space', space._id, { details })],
      note: (tree) => tree.set(space._id, nodeOf('space', space)),
    };
  });
  const [access] = await rules.trees.resolve({ caller, ids: [space._id] }, 'space');
  return presentSpace(rules.baseUrl, space, (access?.role ?? null) as Role | null);
}

/** Shows a deleted space to those alone who may restore it. */
export async function getSpace({ store, baseUrl }: ContentRules, id: string, { role }: Access): Promise<Space> {
  const space = await store.get(spaces, id);
  if (!space) throw notFound('Space');
  const shown = presentSpace(baseUrl, space, role as Role | null);
  if (space.deletedAt && !shown.permissions.admin) throw notFound('Space');
  return shown;
}

/** The position of the first item beyond the id `after`. */
function firstAfter(readable: Readable[], after: string, order: Order): number {
  let [low, high] = [0, readable.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const { id } = (readable[middle] as Readable).node;
    if (order === 'asc' ? id > after : id < after) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Those of `readable` that a page asks for: keyset by id over what is read, so the count is exact. */
export async function pageOfNodes<T>(
  readable: Readable[],
  request: PageRequest & { order?: Order },
  present: (ids: string[], roleOf: Map<string, Role>) => Promise<T[]>,
): Promise<Page<T>> {
  const { order = 'asc', limit } = request;
  const ordered = order === 'asc' ? readable : readable.toReversed();
  const start = request.page === undefined ? 0 : firstAfter(ordered, String(decodeCursor(request.page, 1)[0]), order);
  const page = ordered.slice(start, start + limit);
  const roleOf = new Map(page.map(({ node, role }) => [node.id, role]));
  const items = await present([...roleOf.keys()], roleOf);
  const last = page.at(-1);
  const more = last !== undefined && start + page.length < ordered.length;
  return more
    ? { next: { page: encodeCursor([last.node.id]) }, count: ordered.length, items }
    : { count: ordered.length, items };
}

export interface SpaceScope {
  organization: string;
  /** Those in this collection alone. */
  parent?: string;
}

export async function listSpaces(
  rules: ContentRules,
  { organization, parent }: SpaceScope,
  caller: Caller,
  request: PageRequest,
): Promise<Page<Space>> {
  const readable = await rules.trees.readable(organization, caller, 'space');
  const wanted = parent === undefined ? readable : readable.filter(({ node }) => node.parent === parent);
  return pageOfNodes(wanted, request, async (ids, roleOf) => {
    const found = await rules.store.getMany(spaces, ids);
    return found.map((space) => presentSpace(rules.baseUrl, space, roleOf.get(space._id) ?? null));
  });
}

export interface SpaceChanges {
  title?: string | undefined;
  editMode?: SpaceDocument['editMode'] | undefined;
  defaultLevel?: DefaultLevel | undefined;
  language?: string | undefined;
  emoji?: string | null | undefined;
  icon?: string | null | undefined;
}

/** What differs from what is there; null clears. */
function changesOf(space: SpaceDocument, changes: SpaceChanges): Record<string, unknown> {
  const before = space as unknown as Record<string, unknown>;
  const isCleared = (field: string, value: unknown) => value === null && field !== 'defaultLevel';
  return Object.fromEntries(
    Object.entries(changes).filter(([field, value]) => {
      if (value === undefined) return false;
      return isCleared(field, value) ? before[field] !== undefined : before[field] !== value;
    }),
  );
}

function updateOf({ defaultLevel, ...changes }: Record<string, unknown>): Update<SpaceDocument> {
  const $set: Record<string, unknown> = { updatedAt: timestamp() };
  const $unset: Record<string, true> = {};
  if (defaultLevel !== undefined) $set.defaultLevel = defaultLevel;
  for (const [field, value] of Object.entries(changes)) {
    if (value === null) $unset[field] = true;
    else $set[field] = value;
  }
  return Object.keys($unset).length > 0 ? { $set, $unset } : { $set };
}

/** Makes a node another one, when it is there. */
const noteNode = (id: string, changes: Partial<TreeNode>) => (tree: Map<string, TreeNode>) => {
  const node = tree.get(id);
  if (node) tree.set(id, { ...node, ...changes });
};

export async function updateSpace(
  rules: ContentRules,
  id: string,
  changes: SpaceChanges,
  acting: Acting,
): Promise<Space> {
  if (changes.defaultLevel === undefined) await again(() => changeFields(rules, id, changes, acting));
  else await changeLevel(rules, id, { ...changes, defaultLevel: changes.defaultLevel }, acting);
  const [access] = await rules.trees.resolve({ caller: acting.caller, ids: [id] }, 'space');
  return getSpace(rules, id, access ?? acting.access);
}

async function spaceToChange({ store }: ContentRules, id: string, { editMode }: SpaceChanges): Promise<SpaceDocument> {
  const space = await store.get(spaces, id);
  if (!space || space.deletedAt) throw notFound('Space');
  if (editMode === 'live' && space.git) throw invalid('editMode: a space with Git sync cannot be edited live');
  return space;
}

function writesOf(
  { outbox }: ContentRules,
  { _id: id, organization }: SpaceDocument,
  changed: Record<string, unknown>,
  { audit }: Acting,
): Write[] {
  if (Object.keys(changed).length === 0) return [];
  return [
    write.update(spaces, { _id: id, deletedAt: null }, updateOf(changed), { expect: 1 }),
    outbox.add(spaceUpdated, { organization, space: id }),
    audit('space', id, { details: changed }),
  ];
}

async function changeFields(rules: ContentRules, id: string, changes: SpaceChanges, acting: Acting): Promise<void> {
  const space = await spaceToChange(rules, id, changes);
  const writes = writesOf(rules, space, changesOf(space, changes), acting);
  if (writes.length > 0) await rules.store.batch(writes);
}

async function changeLevel(
  rules: ContentRules,
  id: string,
  changes: SpaceChanges & { defaultLevel: DefaultLevel },
  acting: Acting,
): Promise<void> {
  const { organization, role } = acting.access;
  const { defaultLevel } = changes;
  await rules.trees.change(organization, id, async () => {
    const space = await spaceToChange(rules, id, changes);
    const writes = writesOf(rules, space, changesOf(space, changes), acting);
    if (writes.length === 0) return undefined;
    if (space.defaultLevel !== defaultLevel)
      await checkLevel(rules, { kind: 'space', id, organization }, defaultLevel, { caller: acting.caller, role });
    return { writes, note: noteNode(id, { defaultLevel }) };
  });
}

/** To the trash; a job empties it after the grace period. */
export function trashWrites(
  { jobs, outbox }: ContentRules,
  organization: string,
  id: string,
  changes: Partial<SpaceDocument> = {},
): Write[] {
  const now = timestamp();
  return [
    write.update(
      spaces,
      { _id: id, deletedAt: null },
      { $set: { ...changes, deletedAt: now, updatedAt: now } },
      { expect: 1 },
    ),
    outbox.add(spaceUpdated, { organization, space: id }),
    jobs.enqueue(purgeSpace, { space: id, deletedAt: now }, { runAt: timestamp(new Date(Date.now() + graceMs)) }),
  ];
}

export async function deleteSpace(
  rules: ContentRules,
  id: string,
  { access: { organization }, audit }: Acting,
): Promise<void> {
  await rules.trees.change(organization, id, async () => {
    const space = await rules.store.get(spaces, id, { fields: ['deletedAt'] });
    if (!space || space.deletedAt) throw notFound('Space');
    return {
      writes: [...trashWrites(rules, organization, id), audit('space', id)],
      note: noteNode(id, { deleted: true }),
    };
  });
}

/** Back where it was, or at the top level when that collection is gone. */
export async function restoreSpace(rules: ContentRules, id: string, { access, audit }: Acting): Promise<Space> {
  const { store, trees, outbox } = rules;
  const { organization } = access;
  await trees.change(organization, id, async () => {
    const space = await store.get(spaces, id);
    if (!space?.deletedAt) throw conflict('This space is not deleted');
    const tree = await trees.of(organization);
    const parent = space.parent !== null && tree.has(space.parent) ? space.parent : null;
    const restored = write.update(
      spaces,
      { _id: id, deletedAt: space.deletedAt },
      { $set: { deletedAt: null, parent, updatedAt: timestamp() } },
      { expect: 1 },
    );
    const told = outbox.add(spaceUpdated, { organization, space: id });
    return { writes: [restored, told, audit('space', id)], note: noteNode(id, { deleted: false, parent }) };
  });
  return getSpace(rules, id, access);
}
