import type { Context } from '../../../../shared/contract/service.js';
import { apiError, notFound } from '../../../../shared/errors/errors.js';
import type { HasStore } from '../../../../shared/store/port.js';
import { isTooMuch } from '../../../../shared/workers/workers.js';
import type { HasTrees } from '../../core/access/tree/content-tree-cache.js';
import type { HasRevisions } from '../../core/revisions/revision-cache.js';
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
  const { revisions, work } = deps;
  const { markdown: mine } = asked;
  checkText(mine);
  const place = await openWritingPlace(deps, asked, caller);
  const before = await revisions.find(place.space, asked.revision);
  const [base, { theirs, ...seen }] = await Promise.all([
    before ? storedSource(deps, before, before.pageById.get(asked.page)) : '',
    asked.against === 'draft' ? draftSide(deps, place, asked) : contentSide(deps, place, asked),
  ]);
  try {
    return { ...(await work.settled({ base, mine, theirs }, place.organization)), ...seen };
  } catch (error) {
    if (!isTooMuch(error)) throw error;
    throw apiError('UNPROCESSABLE', 'markdown: takes too much time or memory to compare', 'too_complex');
  }
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

/** A draft that is gone by now leaves nothing to merge with. */
async function draftSide(
  { store }: HasStore,
  place: WritingPlace,
  { page, markdown, revision }: MergeDraft,
): Promise<OtherSide> {
  const found = await store.get(draftTexts, draftId(place, page));
  return found ? { theirs: found.markdown, revision, version: found.version } : { theirs: markdown, revision };
}
