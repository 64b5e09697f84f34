import { metaNames, pageMetaFields } from '../../core/revisions/page-fields.js';
import type { OwnFields } from '../../core/revisions/page-tree.js';
import { computedAsWritten } from '../../core/revisions/references.js';
import type { PageEntry } from '../../core/revisions/revision-view.js';
import { repeatsTitle } from '../../format/document/titles.js';
import type { PageSources, PageText } from '../changes/page-sources.js';
import type { Conflicts, Named, Sides } from './conflicts.js';
import type { SourceMerging } from './merge-sources.js';

export const ownOf = ({ pages: _, ...own }: PageEntry): OwnFields => own;

/** How a page is named in a conflict. */
export const pageNamed = ({ id, title, path }: OwnFields): Named => ({
  kind: 'page',
  id,
  title,
  ...(path ? { path } : {}),
});

/** Fields that follow from others, or that say nothing about the page itself. */
const derived = new Set('id pages path document aliases plain git createdAt updatedAt placed'.split(' '));

/** The fields of a page whose changes count as changes of it. */
export const fieldsOf = (page: PageEntry) => ({
  ...Object.fromEntries(Object.entries(page).filter(([name]) => !derived.has(name))),
  document: page.document,
  // Not what it was made from last: that follows the specification.
  computed: page.computed && computedAsWritten(page.computed),
});

export interface PageMerging {
  conflicts: Conflicts;
  sources: PageSources;
  /** Merges the sources that documents hold. */
  mergeSource(merging: SourceMerging): Promise<string>;
}

type Fields = { [name in keyof OwnFields]?: OwnFields[name] | undefined };

/** The fields of a page, each from the side that changed it; those that go with its source are those of the merged one. */
export async function mergePage(merging: PageMerging, sides: Sides<PageEntry>): Promise<Fields & { title: string }> {
  const { base, primary, changeRequest } = sides;
  const { conflicts } = merging;
  const about = pageNamed(primary);
  const title = conflicts.value(about, 'title', {
    base: base?.title,
    primary: primary.title,
    changeRequest: changeRequest.title,
  });
  const written = await mergedDocument(merging, { sides, title });
  const merged: Record<string, unknown> = { ...ownOf(primary), title, ...written };
  for (const name of new Set([...Object.keys(primary), ...Object.keys(changeRequest)])) {
    if (derived.has(name) || name === 'title' || name in written) continue;
    const of = (entry: PageEntry | undefined) => entry?.[name as keyof PageEntry];
    merged[name] = conflicts.value(about, name, {
      base: of(base),
      primary: of(primary),
      changeRequest: of(changeRequest),
    });
  }
  const updatedAt = [primary.updatedAt ?? '', changeRequest.updatedAt ?? ''].sort().at(-1) || undefined;
  return { ...(merged as unknown as OwnFields), updatedAt };
}

/** The fields that go with the source of a page: of the side that changed it; where both did, of both merged. */
async function mergedDocument(
  merging: PageMerging,
  { sides, title }: { sides: Sides<PageEntry>; title: string },
): Promise<Fields> {
  const { base, primary, changeRequest } = sides;
  const { document, aliases, plain } = changeRequest;
  if (document === base?.document || document === primary.document) return {};
  const git = primary.git && document !== undefined ? { ...primary.git, oid: document } : primary.git;
  if (primary.document === base?.document) return { document, aliases, plain, git };
  const source = await merging.mergeSource({
    named: pageNamed(primary),
    documents: { base: base?.document, primary: primary.document, changeRequest: document },
    fields: sides,
  });
  const made = await writeMerged(merging, { id: primary.id, source, title });
  const none = Object.fromEntries(metaNames.map((name) => [name, undefined]));
  const { emoji: _, ...meta } = pageMetaFields(made.meta);
  const heading = await mergedHeading(merging, { sides, title, heading: made.heading });
  return { ...none, ...meta, heading, aliases: [...(primary.aliases ?? []), ...(aliases ?? [])] };
}

/** Writes the merged source; its title becomes that of the page, if it says another one. */
async function writeMerged(
  { sources }: PageMerging,
  { id, source, title }: { id: string; source: string; title: string },
) {
  const made = await sources.write(id, { source, before: '', edits: {} });
  if (made.title === undefined || made.title === title) return made;
  return sources.write(id, { before: source, edits: { title } });
}

/** A first heading that its side did not show, since it said the title, is not shown under another title either. */
async function mergedHeading(
  { sources }: PageMerging,
  {
    sides: { primary, changeRequest },
    title,
    heading,
  }: { sides: Sides<PageEntry>; title: string; heading: string | undefined },
): Promise<string | undefined> {
  if (heading === undefined || repeatsTitle(title, heading)) return undefined;
  for (const side of [primary, changeRequest]) {
    if (side.document === undefined) continue;
    const { heading: own }: PageText = await sources.stored(side.document);
    if (own !== undefined && repeatsTitle(own, heading) && repeatsTitle(side.heading ?? side.title, own))
      return heading;
  }
  return undefined;
}
