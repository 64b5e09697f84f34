import type { Context } from '../../../../shared/contract/service.js';
import { apiError, notFound } from '../../../../shared/errors/errors.js';
import type { HasStore } from '../../../../shared/store/port.js';
import { isTooMuch } from '../../../../shared/workers/workers.js';
import type { HasTrees } from '../../core/access/tree/content-tree-cache.js';
import type { HasRevisions } from '../../core/revisions/revision-cache.js';
import type { HasWork } from '../../format/workers/page-work.js';
import type { MergeDraft, MergedDraft } from '../contract.js';
import { checkText, openWritingPlace } from './draft-places.js';
import { storedSource } from './source-reading.js';

export async function mergeDraft(
  deps: HasStore & HasTrees & HasRevisions & HasWork,
  asked: MergeDraft,
  { caller }: Pick<Context, 'caller'>,
): Promise<MergedDraft> {
  const { revisions, work } = deps;
  const { page, markdown: mine } = asked;
  checkText(mine);
  const { organization, space, revision } = await openWritingPlace(deps, asked, caller);
  const now = await revisions.get(space, revision);
  const present = now.pageById.get(page);
  if (!present) throw notFound('Page');
  const before = await revisions.find(space, asked.revision);
  const [base, theirs] = await Promise.all([
    before ? storedSource(deps, before, before.pageById.get(page)) : '',
    storedSource(deps, now, present),
  ]);
  try {
    return { ...(await work.settled({ base, mine, theirs }, organization)), revision };
  } catch (error) {
    if (!isTooMuch(error)) throw error;
    throw apiError('UNPROCESSABLE', 'markdown: takes too much time or memory to compare', 'too_complex');
  }
}
