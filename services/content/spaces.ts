import type { Caller } from '../../shared/contract/caller.js';
import type { Access } from '../../shared/contract/operation.js';
import { conflict, forbidden, invalid, notFound } from '../../shared/errors.js';
import { newId, timestamp } from '../../shared/ids.js';
import type { Jobs } from '../../shared/jobs.js';
import { decodeCursor, encodeCursor, type Page, type PageRequest } from '../../shared/paging.js';
import { type Store, type Update, type Write, write } from '../../shared/store/port.js';
import type { Role } from '../identity/resources.js';
import { type ContentTrees, nodeOf, type Readable } from './content-tree.js';
import { presentSpace, revisions, type SpaceDocument, spaces, treeChanged } from './model.js';
import type { DefaultLevel, Space } from './resources.js';

export const purgeSpace = 'purgeSpace';
const graceMs = 7 * 24 * 3600_000;

/** What the rules of spaces and collections work with. */
export interface ContentRules {
  store: Store;
  trees: ContentTrees;
  jobs: Jobs;
  baseUrl: string;
}

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
}

/** A space with an empty first revision, and the writes that make it. */
export function newSpace(
  organization: string,
  creator: string,
  input: SpaceInput,
): { space: SpaceDocument; writes: Write[] } {
  const now = timestamp();
  const revision = newId();
  const { title = 'Untitled space', emoji, parent = null, language, editMode = 'locked' } = input;
  const space: SpaceDocument = {
    _id: newId(),
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
  return { space, writes: [write.insert(spaces, space), write.insert(revisions, empty), treeChanged(organization)] };
}

export async function createSpace(
  rules: ContentRules,
  organization: string,
  caller: Caller,
  input: SpaceInput,
): Promise<Space> {
  if (input.parent !== undefined) await checkParent(rules, organization, caller, input.parent);
  const { space, writes } = newSpace(organization, userOf(caller), input);
  await rules.store.batch(writes);
  rules.trees.added(organization, nodeOf('space', space));
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

/** The position of the first id beyond `after`. */
function firstAfter(readable: Readable[], after: string): number {
  let [low, high] = [0, readable.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((readable[middle] as Readable).node.id > after) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Those of `nodes` that a page asks for: keyset by id over what the caller reads, so the count is exact. */
export async function pageOfNodes<T>(
  readable: Readable[],
  request: PageRequest,
  present: (ids: string[], roleOf: Map<string, Role>) => Promise<T[]>,
): Promise<Page<T>> {
  const after = request.page === undefined ? undefined : decodeCursor(request.page, 1)[0];
  const rest = after === undefined ? readable : readable.slice(firstAfter(readable, String(after)));
  const page = rest.slice(0, request.limit);
  const roleOf = new Map(page.map(({ node, role }) => [node.id, role]));
  const items = await present([...roleOf.keys()], roleOf);
  const last = page.at(-1);
  const more = last !== undefined && rest.length > page.length;
  return more
    ? { next: { page: encodeCursor([last.node.id]) }, count: readable.length, items }
    : { count: readable.length, items };
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

function updateOf({ emoji, icon, ...plain }: SpaceChanges): Update<SpaceDocument> {
  const $set: Record<string, unknown> = { updatedAt: timestamp() };
  const $unset: Record<string, true> = {};
  for (const [field, value] of Object.entries(plain)) if (value !== undefined) $set[field] = value;
  for (const [field, value] of Object.entries({ emoji, icon })) {
    if (value === null) $unset[field] = true;
    else if (value !== undefined) $set[field] = value;
  }
  return Object.keys($unset).length > 0 ? { $set, $unset } : { $set };
}

export async function updateSpace(
  rules: ContentRules,
  id: string,
  changes: SpaceChanges,
  access: Access,
): Promise<Space> {
  const { store, trees } = rules;
  const space = await store.get(spaces, id);
  if (!space) throw notFound('Space');
  if (changes.editMode === 'live' && space.git) throw invalid('editMode: a space with Git sync cannot be edited live');
  const writes = [write.update(spaces, { _id: id, deletedAt: null }, updateOf(changes), { expect: 1 })];
  if (changes.defaultLevel !== undefined) writes.push(treeChanged(access.organization));
  await store.batch(writes);
  trees.changed(access.organization);
  return getSpace(rules, id, access);
}

/** To the trash; a job empties it after the grace period. */
export function trashWrites(jobs: Jobs, id: string, changes: Partial<SpaceDocument> = {}): Write[] {
  const now = timestamp();
  return [
    write.update(
      spaces,
      { _id: id, deletedAt: null },
      { $set: { ...changes, deletedAt: now, updatedAt: now } },
      { expect: 1 },
    ),
    jobs.enqueue(purgeSpace, { space: id, deletedAt: now }, { runAt: timestamp(new Date(Date.now() + graceMs)) }),
  ];
}

export async function deleteSpace(
  { store, trees, jobs }: ContentRules,
  id: string,
  { organization }: Access,
): Promise<void> {
  await store.batch([...trashWrites(jobs, id), treeChanged(organization)]);
  trees.changed(organization);
}

/** Back where it was, or at the top level when that collection is gone. */
export async function restoreSpace(rules: ContentRules, id: string, access: Access): Promise<Space> {
  const { store, trees } = rules;
  const space = await store.get(spaces, id);
  if (!space?.deletedAt) throw conflict('This space is not deleted');
  const tree = await trees.of(access.organization);
  const parent = space.parent !== null && tree.has(space.parent) ? space.parent : null;
  await store.batch([
    write.update(
      spaces,
      { _id: id, deletedAt: space.deletedAt },
      { $set: { deletedAt: null, parent, updatedAt: timestamp() } },
      { expect: 1 },
    ),
    treeChanged(access.organization),
  ]);
  trees.changed(access.organization);
  return getSpace(rules, id, access);
}
