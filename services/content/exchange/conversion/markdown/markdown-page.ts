import { parsePage } from '../../../format/document/page.js';
import { frontMatterEntries } from '../../../format/space/front-matter/front-matter-entries.js';
import { normalizeText, sourceParts } from '../../../format/space/source-parts.js';
import type { Flavour } from '../model.js';
import { adaptedLines } from './adapted-lines.js';
import { linesWithFormulas } from './formulas.js';
import { withIncludes } from './includes.js';
import { withoutWikiLinks } from './wiki-links.js';

export interface MarkdownPage {
  /** The title that the page states. */
  title: string | undefined;
  markdown: string;
}

export interface MarkdownSource {
  text: string;
  /** In the source. */
  path: string;
  flavour: Flavour;
  /** The text of another file, for those that include it. */
  readText: (path: string) => string | undefined;
}

/** Reads a Markdown file of any dialect as a page of ours. */
export function markdownPage({ text, path, flavour, readText }: MarkdownSource): MarkdownPage {
  const source = normalizeText(text);
  const { body } = sourceParts(source);
  const isWiki = flavour === 'wiki';
  const included = flavour === 'mdbook' ? withIncludes(source.slice(body), { path, readText }) : source.slice(body);
  const linked = isWiki ? withoutWikiLinks(included) : included;
  const mdx = /\.mdx$/i.test(path) || flavour === 'docusaurus';
  const written = linked.split('\n');
  // Our own dialect has other marks for formulas.
  const lines = adaptedLines(
    flavour === 'gitbook' ? written : linesWithFormulas(written, { isBook: flavour === 'mdbook' }),
    {
      mdx,
      notion: flavour === 'notion',
    },
  );
  const adapted = frontMatter(source.slice(0, body)) + lines.join('\n');
  return { title: parsePage(adapted, () => undefined).title, markdown: adapted };
}

/** Front matter that cannot be read would be shown as text; that of other dialects is kept where it can. */
function frontMatter(text: string): string {
  return text === '' || frontMatterEntries(text) ? text : '';
}
