import { headerUrl, type ListedPage, listHead, pageLines } from './links.js';

const maxIndexPages = 20_000;

export interface TextAnswer {
  headers: Record<string, string>;
  body: string;
}

/**
 * The answer at `<page>.md`: the Markdown of a page and nothing else. Search engines are told to show the page itself, whose address is `url`.
 */
export function markdownPage({ markdown, url }: { markdown: string; url: string }): TextAnswer {
  const canonical = headerUrl(url);
  return {
    headers: {
      'Content-Type': 'text/markdown; charset=utf-8',
      'X-Robots-Tag': 'noindex',
      ...(canonical === undefined ? {} : { Link: `<${canonical}>; rel="canonical"` }),
    },
    body: markdown === '' || markdown.endsWith('\n') ? markdown : `${markdown}\n`,
  };
}

export interface IndexedTree {
  title: string;
  description?: string | undefined;
  pages: readonly ListedPage[];
}

/** The table of contents as Markdown: links to all pages, indented as they stand. */
export function markdownIndex({ title, description, pages }: IndexedTree): string {
  const left = pages.length - maxIndexPages;
  const links = pages.slice(0, maxIndexPages).map(pageLines);
  const rest = left > 0 ? [`\n${left} more pages are not listed.`] : [];
  return [listHead(title, description), ...links, ...rest].join('\n').trimEnd().concat('\n');
}
