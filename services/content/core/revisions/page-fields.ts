import type { PageMeta } from '../../format/document/stored-page.js';
import type { PageNode } from './model.js';

/** The names of the fields that a page has from its source, but for its emoji, which it may have from elsewhere. */
export const metaNames = [
  'icon',
  'description',
  'hidden',
  'noIndex',
  'noRobotsIndex',
  'layout',
  'cover',
  'metaLinks',
  'variables',
  'tags',
  'condition',
  'plain',
] as const;

type MetaFields = Pick<PageNode, (typeof metaNames)[number] | 'emoji'>;

/** The fields that a page has from its source. */
export function pageMetaFields({
  problem: _,
  images: __,
  hidden,
  noIndex,
  noRobotsIndex,
  ...meta
}: PageMeta): MetaFields {
  return {
    ...meta,
    ...(hidden ? { hidden } : {}),
    ...(noIndex ? { noIndex } : {}),
    ...(noRobotsIndex ? { noRobotsIndex } : {}),
  };
}

/** The page without the fields that come from its source. */
export function withoutMeta<P extends MetaFields>(page: P): Omit<P, keyof MetaFields> {
  const rest = { ...page };
  for (const name of [...metaNames, 'emoji'] as const) delete rest[name];
  return rest;
}
