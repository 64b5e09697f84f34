import type { Caller, ContentCaller } from '../../../../shared/contract/caller.js';
import type { Context } from '../../../../shared/contract/service.js';
import { notFound } from '../../../../shared/errors/errors.js';
import type { Visitor } from '../../../../shared/expression/visitor.js';
import type { HasStore } from '../../../../shared/store/port.js';
import { findChangeRequest, findChangeRequestByRevision, refuseVisitors } from '../../core/change-requests/find.js';
import { presentMergedFrom } from '../../core/change-requests/present.js';
import type { HasRevisions } from '../../core/revisions/revision-cache.js';
import type { RevisionView } from '../../core/revisions/revision-view.js';
import { type HasViews, visitorOfCaller } from './visitors/visitor-view-cache.js';

/** The content that a caller reads, and the visitor it reads as; undefined for users, who read content as it is written. */
export interface Reading {
  caller: Caller;
  organization: string;
  view: RevisionView;
  visitor: Visitor | undefined;
  /** Sets the version of the answer. Called before the answer is made, it ends the request of a caller who has this version. */
  noteVersion(): void;
  /** As `noteVersion`, but tells whether the caller has this version, instead of ending the request. */
  isUnchanged(): boolean;
  /** The change request that the revision is the merge of, where the caller is shown it. */
  mergedFrom(): ReturnType<typeof presentMergedFrom>;
}

/** A place to read; with neither a revision nor a change request, the current content of the space. */
export interface PlacePath {
  spaceId: string;
  revisionId?: string;
  changeRequestId?: string;
}

interface Opening {
  path: PlacePath;
  /** The revision that a client began to page a list with. */
  started?: string | undefined;
  /** The answer may be kept forever. */
  immutable?: boolean;
}

type Dependencies = HasStore & HasRevisions & HasViews & { baseUrl: string };

/** Throws 404 for a revision or a change request that the space does not have, or that this visitor may not read. */
export async function openReading(
  deps: Dependencies,
  { path, started, immutable }: Opening,
  context: Context,
): Promise<Reading> {
  const { caller, access, declareVersion, hasVersion } = context;
  const visitor = visitorOfCaller(caller);
  const view = await deps.views.viewFor(await wholeView(deps, { path, started, caller }), visitor);
  const { revision } = view;
  const { _id } = revision;
  // Nothing to keep forever: the same address shows each visitor something else.
  const version = !visitor ? _id : immutable ? undefined : `${_id}-${visitor.key}`;
  return {
    caller,
    organization: access.organization,
    view,
    visitor,
    noteVersion() {
      if (version !== undefined) declareVersion(version);
    },
    isUnchanged: () => version !== undefined && hasVersion(version),
    mergedFrom: () => presentMergedFrom(deps, revision, context),
  };
}

async function wholeView(
  deps: Dependencies,
  { path, started, caller }: Pick<Opening, 'path' | 'started'> & { caller: Caller },
): Promise<RevisionView> {
  const { revisions } = deps;
  const { spaceId, revisionId } = path;
  if (revisionId !== undefined)
    return caller.kind === 'content'
      ? viewFor(deps, caller, { spaceId, revisionId })
      : revisions.get(spaceId, revisionId);
  const current = await currentView(deps, path, caller);
  if (started === undefined || started === current.revision._id) return current;
  return caller.kind === 'content' ? leadingTo([current], started) : revisions.get(spaceId, started);
}

async function currentView(
  { store, revisions }: Dependencies,
  { spaceId, changeRequestId }: PlacePath,
  caller: Caller,
): Promise<RevisionView> {
  if (changeRequestId === undefined) return revisions.current(spaceId);
  const found = await findChangeRequest(store, { spaceId, changeRequestId }, { fields: ['revision'] });
  refuseVisitors(caller, found);
  return revisions.get(spaceId, found.revision);
}

async function viewFor(
  deps: Dependencies,
  visitor: ContentCaller,
  { spaceId, revisionId }: { spaceId: string; revisionId: string },
): Promise<RevisionView> {
  const { changeRequest, revision } = visitor;
  if (revision?.space === spaceId && revision.id === revisionId) return deps.revisions.get(spaceId, revisionId);
  const previewed = changeRequest?.space === spaceId ? [{ spaceId, changeRequestId: changeRequest.id }] : [];
  const places: PlacePath[] = [...previewed, { spaceId }];
  const current = await Promise.all(places.map((place) => currentView(deps, place, visitor)));
  if (visitor.preview && !current.some(({ revision }) => revision._id === revisionId)) {
    const ofAny = await findChangeRequestByRevision(deps.store, { space: spaceId, revision: revisionId });
    if (ofAny) return deps.revisions.get(spaceId, revisionId);
  }
  return leadingTo(current, revisionId);
}

/**
 * A visitor reads current revisions only: earlier ones may hold what was taken down. The id of the one before leads to the
 * current one as well, so that a renderer in the middle of a page goes on.
 */
function leadingTo(current: RevisionView[], id: string): RevisionView {
  const found =
    current.find(({ revision }) => revision._id === id) ??
    current.find(({ revision }) => revision.parents.includes(id));
  if (!found) throw notFound('Revision');
  return found;
}
