import { isDeepStrictEqual } from 'node:util';
import { omitUndefined } from '../../../../shared/values/omit-undefined.js';
import { hasPath, type PageEntry, type RevisionView } from '../../core/revisions/revision-view.js';
import { completeLayout } from '../../format/space/front-matter/front-matter.js';
import { type Presentation, presentTarget } from '../../reading/pages/pages.js';
import { shownCover, shownTags } from '../../reading/showing/page-details.js';
import type { FieldDifference } from '../contract/differences.js';
import type { ComparedViews } from '../history/semantic-changes.js';
import { differingValues } from './value-differences.js';

/** The fields of a page, as they are shown. */
function fieldsOf({ links }: Presentation, view: RevisionView, page: PageEntry) {
  const { title, linkTitle, slug, description, emoji, icon, condition } = page;
  return {
    texts: {
      title,
      linkTitle,
      description,
      ...(hasPath(page) ? { slug, path: page.path } : {}),
      emoji,
      icon,
      condition,
      target: targetOf(view, page),
    },
    flags: {
      hidden: page.hidden === true,
      noIndex: page.noIndex === true,
      noRobotsIndex: page.noRobotsIndex === true,
    },
    lists: {
      tags: shownTags(view, page).map(({ label }) => label),
      metaLinks: [page.metaLinks?.canonical ?? [], page.metaLinks?.alternates ?? []].flat(),
    },
    cover: shownCover(links, view, page),
    named: { layout: { ...completeLayout(page.layout) }, variables: page.variables ?? {} },
  };
}

/** A URL, the path of a page of the space, or a reference as JSON. */
function targetOf(view: RevisionView, page: PageEntry): string | undefined {
  const { target } = presentTarget(view, page);
  if (target?.kind === 'url') return String(target.url);
  const found = target?.kind === 'page' && !target.space ? view.pageById.get(String(target.page)) : undefined;
  return found?.path ?? (target && JSON.stringify(target));
}

/** The fields in which a page differs from what it was. */
export function differingFields(
  { presentation, before, after }: ComparedViews,
  earlier: PageEntry,
  later: PageEntry,
): FieldDifference[] {
  const [was, is] = [fieldsOf(presentation, before, earlier), fieldsOf(presentation, after, later)];
  const fields: object[] = [];
  const add = (field: string, one: unknown, other: unknown) => {
    if (!isDeepStrictEqual(one, other)) fields.push({ field, ...omitUndefined({ before: one, after: other }) });
  };
  const names = <T extends object>(one: T, other: T) => Object.keys({ ...one, ...other }) as (keyof T & string)[];
  for (const name of names(was.texts, is.texts)) add(name, was.texts[name] || undefined, is.texts[name] || undefined);
  for (const name of names(was.flags, is.flags)) add(name, was.flags[name], is.flags[name]);
  for (const name of names(was.lists, is.lists)) add(name, was.lists[name], is.lists[name]);
  add('cover', was.cover, is.cover);
  for (const field of names(was.named, is.named))
    for (const value of differingValues(was.named[field], is.named[field])) fields.push({ field, ...value });
  return fields as FieldDifference[];
}
