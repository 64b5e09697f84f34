import type { ContentCaller } from '../../../../../shared/contract/caller.js';
import type { Context } from '../../../../../shared/contract/service.js';
import { failureOf } from '../../../../../shared/errors/errors.js';
import type { HasStore } from '../../../../../shared/store/port.js';
import type { HasRevisions } from '../../../core/revisions/revision-cache.js';
import type { SpecDocument } from '../../../openapi/specs/model.js';
import { openReading, type PlacePath } from '../reading.js';
import type { HasReferences } from '../visitors/visitor-references.js';
import type { HasViews } from '../visitors/visitor-view-cache.js';
import type { SpecReferences } from './spec-references.js';

type Dependencies = HasStore &
  HasRevisions &
  HasViews &
  HasReferences & { baseUrl: string; specReferences: SpecReferences };

interface Asked {
  spec: Pick<SpecDocument, 'slug' | 'visibility'>;
  visitor: ContentCaller;
}

/**
 * Whether a visitor of a site may read a specification: a public one, and one that a page refers to which the visitor sees, in any space
 * that its token gives access to. What a page shows to some of its readers counts for all of them.
 */
export async function isSpecShown(deps: Dependencies, { spec, visitor }: Asked, context: Context): Promise<boolean> {
  if (spec.visibility === 'public') return true;
  for (const path of placesOf(visitor)) if (await isShownIn(deps, { slug: spec.slug, path }, context)) return true;
  return false;
}

async function isShownIn(
  deps: Dependencies,
  { slug, path }: { slug: string; path: PlacePath },
  context: Context,
): Promise<boolean> {
  const reading = await openReading(deps, { path }, context).catch(nothing);
  if (!reading?.visitor) return false;
  const { view, visitor, organization } = reading;
  const referring = await deps.specReferences.to(slug, view.revision);
  if (!referring) return false;
  if ([...referring.pages].some((id) => view.pageById.has(id))) return true;
  if (referring.reusable.size === 0) return false;
  const { reusable } = await deps.references.viewFor(view, { visitor, organization });
  return reusable.some(({ id }) => referring.reusable.has(id));
}

/** The places that a visitor reads: what it previews, and the spaces of its token, the one that it opened first. */
function placesOf({ space, spaces, changeRequest, revision }: ContentCaller): PlacePath[] {
  return [
    ...(changeRequest ? [{ spaceId: changeRequest.space, changeRequestId: changeRequest.id }] : []),
    ...(revision ? [{ spaceId: revision.space, revisionId: revision.id }] : []),
    ...[...new Set([space, ...spaces])].map((spaceId) => ({ spaceId })),
  ];
}

/** A space or a preview may be gone since the token was made. */
function nothing(error: unknown): undefined {
  if (failureOf(error).type !== 'NOT_FOUND') throw error;
}
