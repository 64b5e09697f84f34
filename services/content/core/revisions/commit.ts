import { type HasStore, type Write, write } from '../../../../shared/store/port.js';
import { newId, timestamp } from '../../../../shared/values/ids.js';
import { omitUndefined } from '../../../../shared/values/omit-undefined.js';
import { type SpaceDocument, spaces } from '../nodes/model.js';
import { type Roots, storeContent, tooLargeError } from './chunks.js';
import { type ContentChanges, deriveView } from './derived-view.js';
import { type HasMeter, type RevisionDocument, revisions } from './model.js';
import type { HasRevisions } from './revision-cache.js';
import type { RevisionView } from './revision-view.js';

/** Bytes of memory that a revision takes, about: more than one that is stored whole may have. */
const maxBytes = 200_000_000;

type Dependencies = HasStore & HasRevisions & HasMeter;

export interface Commit {
  organization: string;
  space: string;
  /** The fields of the document that are not content. */
  fields: Pick<RevisionDocument, 'parents' | 'type'> & Partial<RevisionDocument>;
  /** The revision that it was made from, and what differs; both absent where `roots` are known. */
  before?: RevisionView;
  content?: ContentChanges;
  /** The content of another revision as it is. */
  roots?: Roots;
  /** How often unreached content had been removed before anything that the revision refers to was looked up. */
  sweeps: number;
  /** Conditions and writes that make something point at the revision. */
  writes(revision: RevisionDocument): Write[];
}

/** The fields that a revision keeps from the one that it is made from, besides its lists. */
export const carriedFields = ({
  revision: { variables, tags, treeURL, repository },
}: RevisionView): Pick<RevisionDocument, 'variables' | 'tags' | 'treeURL' | 'repository'> =>
  omitUndefined({ variables: variables || undefined, tags, treeURL: treeURL || undefined, repository });

const rootFields = ({ pages, files, reusable, redirects, outside }: Roots): Roots => ({
  pages,
  files,
  reusable,
  ...(redirects ? { redirects } : {}),
  ...(outside ? { outside } : {}),
});

/**
 * Makes a revision and what points at it, all or nothing. Throws StoreConflict when a condition does not hold, or when content
 * was removed meanwhile.
 */
export async function commitRevision(deps: Dependencies, made: Commit): Promise<RevisionDocument> {
  const { organization, space, fields, before, content = {}, sweeps } = made;
  const stored = made.roots ? undefined : await storeContent(deps, { organization, space, before, content });
  const revision: RevisionDocument = {
    _id: newId(),
    space,
    ...rootFields(made.roots ?? (stored?.roots as Roots)),
    createdAt: timestamp(),
    ...fields,
  };
  const view = before && (await deriveView(before, revision, content));
  if (view && view.bytes > maxBytes) throw tooLargeError();
  await deps.store.batch([
    write.insert(revisions, revision),
    deps.ledger.commitCheck(space, sweeps),
    ...made.writes(revision),
  ]);
  stored?.committed();
  if (view) deps.revisions.add(view);
  return revision;
}

export interface PrimaryMove {
  space: string;
  /** The content that the new one was made from. */
  from: string;
  to: RevisionDocument;
  /** Fields of the space that change with it. */
  changes?: Partial<SpaceDocument> | undefined;
}

/** The write that makes a revision the primary content of its space; it fails when the space has other content by now. */
export const primaryMoveWrite = ({ space, from, to, changes = {} }: PrimaryMove): Write =>
  write.update(
    spaces,
    { _id: space, deletedAt: null, revision: from },
    { $set: { ...changes, revision: to._id, updatedAt: to.createdAt } },
    { expect: 1 },
  );
