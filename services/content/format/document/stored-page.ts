import { omitUndefined } from '../../../../shared/values/omit-undefined.js';
import type { MetaLinks, PageLayout } from '../space/front-matter/front-matter.js';
import { type ParsedPage, parsePage } from './page.js';

/** A tag of a page, by its name in the revision. */
export interface PageTag {
  tag: string;
  primary: boolean;
}

/** The text under one heading of a page, as it is stored and searched. */
export interface PageSection {
  title?: string;
  anchor?: string;
  text: string;
  /** Under a first heading of level 1, which is left out of the body when it repeats the page's title. */
  lead?: true;
}

/** A link target of a page document. */
export interface StoredLink {
  /** As written. */
  url: string;
  kind: string;
  /**
   * The sections that use it: 0 before any heading, else the number of an anchor, counted from 1. Absent in documents that earlier
   * versions stored.
   */
  at?: number[];
}

export interface PageMeta {
  emoji?: string;
  icon?: string;
  description?: string;
  hidden: boolean;
  noIndex: boolean;
  noRobotsIndex: boolean;
  layout?: PageLayout;
  cover?: { url: string; urlDark?: string; yPos: number };
  /** Images that its front matter names besides. */
  images?: string[];
  metaLinks?: MetaLinks;
  variables?: Record<string, unknown>;
  tags?: PageTag[];
  condition?: string;
  plain?: true;
  problem?: string;
}

/** A page as it is parsed from its source, once for all revisions that hold it. */
export interface ReadPage {
  title?: string;
  meta: PageMeta;
  sections: PageSection[];
  links: StoredLink[];
  anchors: string[];
  aliases?: [alias: string, anchor: string][];
}

/** Characters of the JSON of a document that an import takes, without keys and targets. */
const maxDocument = 16_000_000;

/** Why a page cannot be imported. */
export interface RefusedPage {
  refused: string;
}

function storedMetaOf({
  emoji,
  icon,
  description,
  hidden,
  noIndex,
  noRobotsIndex,
  layout,
  cover,
  images,
  metaLinks,
  variables,
  tags,
  condition,
  plain,
  problem,
}: ParsedPage): PageMeta {
  return omitUndefined({
    emoji: emoji || undefined,
    icon: icon || undefined,
    description: description || undefined,
    hidden,
    noIndex,
    noRobotsIndex,
    layout,
    cover,
    images,
    metaLinks,
    variables: variables || undefined,
    tags: tags && tags.length > 0 ? tags : undefined,
    condition: condition || undefined,
    plain: plain || undefined,
    problem: problem || undefined,
  });
}

/** The sections as they are stored and searched: without their levels and without empty fields. */
export const storedSections = (found: ParsedPage['sections']): PageSection[] =>
  found.map(({ title, anchor, text, lead }) => ({
    ...(title ? { title } : {}),
    ...(anchor ? { anchor } : {}),
    text,
    ...(lead ? { lead } : {}),
  }));

/** Sections that are noted of the uses of one link. */
const maxSections = 100;

/** Each link once, with the sections that use it, which come in the order of the page. */
function distinctLinks(links: ParsedPage['links']): StoredLink[] {
  const found = new Map<string, StoredLink & { at: number[] }>();
  for (const { url, kind, section } of links) {
    const key = `${kind} ${url}`;
    const known = found.get(key);
    if (!known) found.set(key, { url, kind, at: [section] });
    else if (known.at.at(-1) !== section && known.at.length < maxSections) known.at.push(section);
  }
  return [...found.values()];
}

export function readPages(sources: string[]): (ReadPage | RefusedPage)[] {
  return sources.map((source) => {
    let size = 0;
    const parsed = parsePage(source, (nodes) => {
      size = JSON.stringify(nodes).length;
    });
    if (size > maxDocument) return { refused: `makes a document of more than ${maxDocument / 1_000_000} MB` };
    return omitUndefined({
      title: parsed.title || undefined,
      meta: storedMetaOf(parsed),
      sections: storedSections(parsed.sections),
      links: distinctLinks(parsed.links),
      anchors: parsed.anchors,
      aliases: parsed.aliases.length > 0 ? parsed.aliases : undefined,
    });
  });
}
