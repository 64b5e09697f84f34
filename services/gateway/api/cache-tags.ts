import type { AnyOperation } from '../../../shared/contract/operation.js';

/** Read by renderers: they drop a cached answer when one of its tags is revalidated. */
export const cacheTagHeader = 'X-Gitbook-Cache-Tag';

interface Asked {
  path: Record<string, string>;
  query: unknown;
  body: unknown;
}

/** The tags of an answer: the one of the resource that was read, and those that the operation adds. Null without tags. */
export function cacheTagsOf(operation: AnyOperation, { path, query, body }: Asked, answer: unknown): string | null {
  const { access, cacheTags, method } = operation;
  const kind = method === 'GET' && access !== 'public' ? access.on : undefined;
  const id = access !== 'public' && access.id ? path[access.id] : undefined;
  const own = kind?.cacheTag && id !== undefined ? [`${kind.cacheTag}:${id}`] : [];
  const tags = [...own, ...(cacheTags?.({ path, query, body }, answer) ?? [])].filter((tag) =>
    /^[\w.:-]{1,300}$/.test(tag),
  );
  return tags.length > 0 ? tags.join(',') : null;
}
