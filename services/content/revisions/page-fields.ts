import type { PageMeta, PageNode } from './model.js';

type MetaFields = Pick<
  PageNode,
  | 'emoji'
  | 'icon'
  | 'description'
  | 'hidden'
  | 'noIndex'
  | 'noRobotsIndex'
  | 'layout'
  | 'cover'
  | 'variables'
  | 'condition'
  | 'plain'
>;

/** The fields that a page has from its source. */
export function metaFields({ problem: _, hidden, noIndex, noRobotsIndex, ...meta }: PageMeta): MetaFields {
  return {
    ...meta,
    ...(hidden ? { hidden } : {}),
    ...(noIndex ? { noIndex } : {}),
    ...(noRobotsIndex ? { noRobotsIndex } : {}),
  };
}

/** The page without the fields that come from its source. */
export function withoutMeta<P extends MetaFields>(page: P): Omit<P, keyof MetaFields> {
  const {
    emoji: _,
    icon: _icon,
    description: _description,
    hidden: _hidden,
    noIndex: _noIndex,
    noRobotsIndex: _noRobotsIndex,
    layout: _layout,
    cover: _cover,
    variables: _variables,
    condition: _condition,
    plain: _plain,
    ...rest
  } = page;
  return rest;
}
