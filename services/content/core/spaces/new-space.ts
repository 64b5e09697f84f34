import { actingUser, type Caller } from '../../../../shared/contract/caller.js';
import type { Context } from '../../../../shared/contract/service.js';
import { forbidden, invalid } from '../../../../shared/errors/errors.js';
import { type Write, write } from '../../../../shared/store/port.js';
import { newId, timestamp } from '../../../../shared/values/ids.js';
import { maxCollectionDepth, nodeDepth } from '../access/tree/content-tree.js';
import type { HasTrees } from '../access/tree/content-tree-cache.js';
import { collections, type SpaceDocument, spaces } from '../nodes/model.js';
import { revisions } from '../revisions/model.js';
import { usages } from '../storage/model.js';

/** In an organization. */
export const maxSpacesHeld = 10_000;
export const maxCollectionsHeld = 10_000;

/** The id of the user by whom something is made; for callers without one, their kind. */
export const creatorId = (caller: Caller): string => actingUser(caller) ?? caller.kind;

/** Checks that `parent` is a collection of this organization in which the caller may create; the error names `parent`. */
export async function checkParent(
  { trees }: HasTrees,
  { organization, parent, caller }: { organization: string; parent: string; caller: Caller },
): Promise<void> {
  const [access] = await trees.resolve({ caller, ids: [parent] }, 'collection');
  if (!access || access.organization !== organization) throw invalid('parent: no such collection in this organization');
  if (access.role !== 'admin' && access.role !== 'create')
    throw forbidden('parent: you may not create content in this collection', 'missing_right');
  if (nodeDepth(await trees.treeOf(organization), parent) >= maxCollectionDepth)
    throw invalid(`parent: collections nest at most ${maxCollectionDepth} deep`);
}

/** The condition that the collection still exists when something is put into it. */
export const parentExistsCheck = (parent: string | undefined): Write[] =>
  parent === undefined ? [] : [write.check(collections, { _id: parent, deletedAt: null }, 1)];

export interface NewSpace {
  organization: string;
  creator: string;
  id?: string;
  title?: string | undefined;
  emoji?: string | undefined;
  /** The collection that holds it; the top level by default. */
  parent?: string | undefined;
  language?: string | undefined;
  editMode?: SpaceDocument['editMode'] | undefined;
  defaultLevel?: SpaceDocument['defaultLevel'];
  translationOf?: string;
}

/** A space with an empty first revision, and the writes that make both. */
export function newSpace({
  organization,
  creator,
  id = newId(),
  title = 'Untitled space',
  emoji,
  parent,
  language,
  editMode = 'locked',
  defaultLevel = 'inherit',
  translationOf,
}: NewSpace): { space: SpaceDocument; writes: Write[] } {
  const now = timestamp();
  const revision = newId();
  const space: SpaceDocument = {
    _id: id,
    organization,
    parent: parent ?? null,
    title,
    ...(emoji ? { emoji } : {}),
    ...(language ? { language } : {}),
    ...(translationOf ? { translationOf } : {}),
    editMode,
    defaultLevel,
    creator,
    revision,
    openComments: 0,
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
    author: creator,
    primary: true as const,
    createdAt: now,
  };
  const usage = { _id: space._id, organization, kind: 'space' as const, bytes: 0 };
  return { space, writes: [write.insert(spaces, space), write.insert(revisions, empty), write.insert(usages, usage)] };
}

/** The templates that spaces are filled with: they are of another group. */
export interface Templates {
  /** Throws 404 for one that is not there. */
  check(id: string): void;
  fill(
    filled: { organization: string; space: string; template: string } & Pick<Context, 'caller' | 'audit'>,
  ): Promise<void>;
}
