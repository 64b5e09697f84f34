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

/** The words that a source says of its page. */
interface Said {
  title?: string | undefined;
  emoji?: string | undefined;
}

interface Changed {
  before: Said;
  /** `titled`: the writer gave it with a title in its front matter. */
  made: { title?: string | undefined; titled: boolean; meta: { emoji?: string } };
}

/** The title that a new source gives its page; undefined where it says none, or the same as before: the navigation may have given another. */
export const titleSaid = ({ before, made }: Changed): string | undefined =>
  made.titled || made.title !== before.title ? made.title : undefined;

/** The emoji of a page with a new source; one that the source before did not say was not taken away with it. */
export const emojiSaid = ({ before, made }: Changed, page: { emoji?: string } | undefined): string | undefined =>
  made.meta.emoji ?? (before.emoji === undefined ? page?.emoji : undefined);
