import { conflict, notFound } from '../../../../shared/errors/errors.js';
import { type HasStore, type Write, write } from '../../../../shared/store/port.js';
import { newId, timestamp } from '../../../../shared/values/ids.js';
import { spaces } from '../nodes/model.js';
import { type ChangeRequestDocument, changeRequests } from './model.js';

/** Change requests of a space that are drafts or open. */
const maxUnfinished = 10_000;

interface NewChangeRequest {
  space: string;
  subject: string;
  creator: string;
  status?: 'draft' | 'open';
  /** Its revision, and the primary content that this is based on; by default, both are the primary content. */
  content?: { revision: string; base: string };
}

/** Makes a change request with the next number; the writes fail when another took the number, or when the primary content is another. */
export async function newChangeRequest(
  { store }: HasStore,
  { space: id, subject, creator, status = 'draft', content }: NewChangeRequest,
): Promise<{ item: ChangeRequestDocument; writes: Write[] }> {
  const space = await store.get(spaces, id, { fields: ['organization', 'revision', 'changeRequests', 'deletedAt'] });
  if (!space || space.deletedAt) throw notFound('Space');
  const { organization, changeRequests: counts = { all: 0, open: 0, draft: 0 } } = space;
  const { revision, base } = content ?? { revision: space.revision, base: space.revision };
  if (counts.open + counts.draft >= maxUnfinished)
    throw conflict(
      `A space has at most ${maxUnfinished} open change requests and drafts; archive or merge some first`,
      'limit_reached',
    );
  const now = timestamp();
  const item: ChangeRequestDocument = {
    _id: newId(),
    organization,
    space: id,
    number: counts.all + 1,
    status,
    subject,
    createdBy: creator,
    createdAt: now,
    updatedAt: now,
    revision,
    initial: base,
    base,
    contributors: [],
    openComments: 0,
  };
  // Without change requests, a space has no counters.
  const same = {
    _id: id,
    deletedAt: null,
    revision: base,
    'changeRequests.all': counts.all === 0 ? null : counts.all,
  };
  const counting = {
    'changeRequests.all': 1,
    'changeRequests.open': status === 'open' ? 1 : 0,
    'changeRequests.draft': status === 'draft' ? 1 : 0,
  };
  return {
    item,
    writes: [write.update(spaces, same, { $inc: counting }, { expect: 1 }), write.insert(changeRequests, item)],
  };
}
