import type { Context } from '../../../../shared/contract/service.js';
import { apiError, notFound } from '../../../../shared/errors/errors.js';
import type { HasStore } from '../../../../shared/store/port.js';
import { isTooMuch } from '../../../../shared/workers/workers.js';
import type { HasTrees } from '../../core/access/tree/content-tree-cache.js';
import type { HasRevisions } from '../../core/revisions/revision-cache.js';
import type { SettledSource } from '../../format/document/edits/settle-sources.js';
import type { HasWork } from '../../format/workers/page-work.js';
import type { MergeDraft, MergedDraft } from '../contract.js';
import { checkText, draftId, openWritingPlace, type WritingPlace } from './draft-places.js';
import { draftTexts } from './model.js';
import { storedSource } from './source-reading.js';

export async function mergeDraft(
  deps: HasStore & HasTrees & HasRevisions & HasWork,
  asked: MergeDraft,
  { caller }: Pick<Context, 'caller'>,
): Promise<MergedDraft> {
  const { markdown: mine, page, revision } = asked;
  checkText(mine);
  const place = await openWritingPlace(deps, asked, caller);
  const base = await earlierSource(deps, place, { page, revision });
  const { theirs, ...seen } =
    asked.against === 'draft'
      ? await draftSide(deps, place, { ...asked, base })
      : await contentSide(deps, place, asked);
  return { ...(await settle(deps, place, { base: base ?? '', mine, theirs })), ...seen };
}

/** Throws 422 for sources that take too much. */
async function settle(
  { work }: HasWork,
  { organization }: WritingPlace,
  sources: { base: string; mine: string; theirs: string },
): Promise<SettledSource> {
  try {
    return await work.settled(sources, organization);
  } catch (error) {
    if (!isTooMuch(error)) throw error;
    throw apiError('UNPROCESSABLE', 'markdown: takes too much time or memory to compare', 'too_complex');
  }
}

/** The page in a revision; undefined where that is no longer kept. */
async function earlierSource(
  deps: HasStore & HasRevisions,
  { space }: WritingPlace,
  { page, revision }: Pick<MergeDraft, 'page' | 'revision'>,
): Promise<string | undefined> {
  const view = await deps.revisions.find(space, revision);
  return view && storedSource(deps, view, view.pageById.get(page));
}

type OtherSide = Pick<MergedDraft, 'revision' | 'version'> & { theirs: string };

async function contentSide(
  deps: HasStore & HasRevisions,
  { space, revision }: WritingPlace,
  { page }: MergeDraft,
): Promise<OtherSide> {
  const now = await deps.revisions.get(space, revision);
  const present = now.pageById.get(page);
  if (!present) throw notFound('Page');
  return { theirs: await storedSource(deps, now, present), revision };
}

/** A draft that is gone by now leaves nothing to merge with. One that began with other content is first brought to that of the writer, `base`. */
async function draftSide(
  deps: HasStore & HasRevisions & HasWork,
  place: WritingPlace,
  { page, markdown, revision, base }: MergeDraft & { base: string | undefined },
): Promise<OtherSide> {
  const found = await deps.store.get(draftTexts, draftId(place, page));
  if (!found) return { theirs: markdown, revision };
  const { version } = found;
  const begun = found.revision === revision ? base : await earlierSource(deps, place, found);
  if (begun === base || begun === undefined || base === undefined) return { theirs: found.markdown, revision, version };
  const { merged } = await settle(deps, place, { base: begun, mine: found.markdown, theirs: base });
  return { theirs: merged, revision, version };
}
