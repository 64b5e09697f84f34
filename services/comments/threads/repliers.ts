import { eachDocument, type Store } from '../../../shared/store/port.js';
import { type CommentDocument, replies } from '../texts/model.js';

/** A user who replied to a comment, how often, and when last. */
export interface Replier {
  user: string;
  count: number;
  updatedAt: string;
}

/** Finds the users who replied to comments, by the ids of the comments; the latest first. Lists bound how many replies they read. */
export async function repliersOf(
  store: Store,
  items: readonly Pick<CommentDocument, '_id' | 'replies'>[],
): Promise<(comment: string) => Replier[]> {
  const ids = items.filter((item) => item.replies > 0).map(({ _id }) => _id);
  const found = new Map(ids.map((id) => [id, new Map<string, Replier>()]));
  if (ids.length > 0)
    for await (const reply of eachDocument(store, replies, { comment: { $in: ids } }, [
      'comment',
      'author',
      'postedAt',
    ]))
      note(found.get(reply.comment), reply);
  return (comment) => [...(found.get(comment)?.values() ?? [])].sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
}

function note(
  repliers: Map<string, Replier> | undefined,
  { author: user, postedAt }: { author: string; postedAt: string },
): void {
  const { count = 0, updatedAt = '' } = repliers?.get(user) ?? {};
  repliers?.set(user, { user, count: count + 1, updatedAt: postedAt > updatedAt ? postedAt : updatedAt });
}
