import type { SearchEntry } from '../../shared/store/port.js';
import { toDocument } from './format/document.js';
import type { ContentRef } from './format/document-model.js';
import { type ParsedPage, parsePage } from './format/page.js';
import { withTitle } from './format/page-source.js';
import type { PageMeta, Section } from './model.js';
import { queryTerms, tokenize } from './tokens.js';

/** What is read from a page's source, once for all revisions that hold it. */
export interface ReadPage {
  title?: string;
  meta: PageMeta;
  sections: Section[];
  links: { url: string; kind: string }[];
}

function metaOf({
  emoji,
  icon,
  description,
  hidden,
  noIndex,
  noRobotsIndex,
  layout,
  cover,
  variables,
  condition,
  problem,
}: ParsedPage): PageMeta {
  return {
    ...(emoji ? { emoji } : {}),
    ...(icon ? { icon } : {}),
    ...(description ? { description } : {}),
    hidden,
    noIndex,
    noRobotsIndex,
    ...(layout ? { layout } : {}),
    ...(cover ? { cover } : {}),
    ...(variables ? { variables } : {}),
    ...(condition ? { condition } : {}),
    ...(problem ? { problem } : {}),
  };
}

export function readPages(sources: string[]): ReadPage[] {
  return sources.map((source) => {
    const parsed = parsePage(source);
    return {
      ...(parsed.title ? { title: parsed.title } : {}),
      meta: metaOf(parsed),
      sections: parsed.sections.map(({ title, anchor, text }) => ({
        ...(title ? { title } : {}),
        ...(anchor ? { anchor } : {}),
        text,
      })),
      links: parsed.links,
    };
  });
}

export interface IndexedPage {
  id: string;
  title: string;
  description: string;
  sections: Section[];
}

export function searchEntries(pages: IndexedPage[]): SearchEntry[] {
  return pages.map(({ id, title, description, sections }) => ({
    id,
    // As a query reads it, so that a query which is the title equals it.
    title: queryTerms(title).map(({ token }) => token),
    headings: [title, ...sections.map((section) => section.title ?? '')].flatMap(tokenize),
    body: [...tokenize(description), ...sections.flatMap((section) => tokenize(section.text))],
  }));
}

export function document({ source, refs }: { source: string; refs: ReadonlyMap<string, ContentRef> }): unknown {
  return toDocument(source, (url, kind) => refs.get(`${kind} ${url}`));
}

export function markdown({ source, title }: { source: string; title: string }): string {
  return withTitle(source, title);
}
