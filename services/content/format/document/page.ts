import { emojiCharacter, splitLeadingEmoji } from '../markdown/emoji.js';
import { type PageMetadata, readFrontMatter } from '../space/front-matter/front-matter.js';
import { type AnchorAlias, anchorAliasesOf } from './context/anchors.js';
import { readBody } from './document.js';
import type { BlockNode, LinkKind } from './document-model.js';
import { needsEvaluation } from './evaluate.js';
import { endOfFirstHeading, splitSource } from './page-source.js';
import { type Heading, type Section, splitIntoSections } from './sections.js';
import { repeatsTitle } from './titles.js';

export type { Heading, PageMetadata, Section };

export interface PageLink {
  /** As written, entities and escapes resolved. */
  url: string;
  kind: LinkKind;
  /** The anchor of the page that it stands under: 0 for none, else its number, counted from 1. */
  section: number;
}

export interface ParsedPage extends PageMetadata {
  /** As `sectionsUnderTitle` takes them. */
  sections: Section[];
  headings: Heading[];
  /** The anchors of its headings in their order, then of its first heading, tabs and expandables. */
  anchors: string[];
  /** Other names of its anchors, which links may have. */
  aliases: AnchorAlias[];
  /** The body is the same for every reader: no `if` blocks, no expressions. */
  plain: boolean;
  /** Every use of a URL in the order of the page, the same ones that `toDocument` resolves. The cover is not among them. */
  links: PageLink[];
}

/** Reads a page of the Git-sync format: pure, linear in the source's length, and no source makes it throw. `measure` gets its document. */
export function parsePage(source: string, measure?: (nodes: BlockNode[]) => void): ParsedPage {
  const { frontMatter, body } = splitSource(source);
  const metadata = readFrontMatter(frontMatter);
  const links: PageLink[] = [];
  const noteLink = (url: string, kind: LinkKind, section: number) => {
    links.push({ url, kind, section });
    return undefined;
  };
  const { title, nodes, lead, anchors } = readBody(body, noteLink, {
    keyed: false,
    keepLead: (heading) => heading !== '',
  });
  measure?.(nodes);
  const heading = title ? splitLeadingEmoji(title) : undefined;
  const page: ParsedPage = {
    ...metadata,
    ...splitIntoSections(nodes, lead),
    anchors: anchors.given.map(({ id }) => id),
    aliases: anchorAliasesOf(anchors),
    plain: !needsEvaluation(nodes),
    links,
  };
  const named = metadata.title ?? heading?.title;
  if (named !== undefined) page.title = named;
  const emoji = metadata.emoji === undefined ? heading?.emoji : emojiCharacter(metadata.emoji);
  if (emoji !== undefined) page.emoji = emoji;
  return page;
}

/**
 * The page as markdown for readers: no front matter, beginning with the title as level-1 heading. A first heading that says
 * `heading`, the title before the page was renamed, is replaced.
 */
export function withTitleHeading(source: string, title: string, heading?: string): string {
  const body = splitSource(source).body.replace(blankStart, '');
  const end = endOfFirstHeading(body);
  const repeated = end !== undefined && repeatsTitle(heading ?? title, firstHeadingOf(body));
  if (repeated && heading === undefined) return body;
  const rest = repeated ? body.slice(end).replace(blankStart, '') : body;
  const first = `# ${title.replace(/\s+/g, ' ').trim()}\n`;
  return rest.trim() === '' ? first : `${first}\n${rest}`;
}

const blankStart = /^(?:[ \t]*\n)+/;

const firstHeadingOf = (body: string) =>
  readBody(body, () => undefined, { keyed: false, keepLead: () => false }).title ?? '';
