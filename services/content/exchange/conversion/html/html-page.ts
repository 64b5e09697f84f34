import type { Root } from 'hast';
import { bounds, megabytes } from '../bounds.js';
import type { InlineImages } from '../inline-images.js';
import { refusal } from '../refused.js';
import { elementsIn, firstIn, parseHtml, property } from './elements.js';
import { placeJavadoc } from './exported/javadoc.js';
import { joinBlocks, pageCover, pageEmoji } from './exported/notion-page.js';
import { writeFormulas } from './formulas/formulas.js';
import { mainContent } from './main-content.js';
import { htmlToMarkdown } from './markdown-of.js';
import { placeImages } from './shown/images.js';
import { joinTabs } from './tabs.js';

export interface HtmlPage {
  title: string | undefined;
  markdown: string;
  links: string[];
  canonical: string | undefined;
  /** The address that others are relative to, if the page names one. */
  base: string | undefined;
  ids: Map<string, string>;
}

const maxLinks = 5000;
/** Characters of them together. */
const maxLinkCharacters = 500_000;

/** Reads an HTML page: its main content as Markdown, and where it links to. */
export function htmlPage(text: string, images: InlineImages): HtmlPage {
  if (text.length > bounds.html) throw refusal(`url: the page is larger than ${megabytes(bounds.html)}`);
  const root = parseHtml(text);
  const links = linksIn(root);
  const canonical = firstIn(
    root,
    (each) => each.tagName === 'link' && property(each, 'rel').toLowerCase() === 'canonical',
  );
  const base = firstIn(root, ({ tagName }) => tagName === 'base');
  placeImages(root);
  keepInlineImages(root, images);
  writeFormulas(root);
  joinBlocks(root);
  joinTabs(root);
  placeJavadoc(root);
  const frontMatter = frontMatterOf(root);
  const { content, title, ids } = mainContent(root);
  return {
    title: title?.slice(0, 255),
    markdown: frontMatter + htmlToMarkdown(content),
    links,
    canonical: (canonical && property(canonical, 'href')) || undefined,
    base: (base && property(base, 'href')) || undefined,
    ids,
  };
}

/** Front matter with the icon and the cover that Notion shows above a page. */
function frontMatterOf(root: Root): string {
  const values = Object.entries({ emoji: pageEmoji(root), cover: pageCover(root) });
  const lines = values.flatMap(([key, value]) => (value ? [`${key}: ${JSON.stringify(value)}\n`] : []));
  return lines.length > 0 ? `---\n${lines.join('')}---\n\n` : '';
}

function linksIn(root: Root): string[] {
  const links = new Set<string>();
  let room = maxLinkCharacters;
  for (const element of elementsIn(root)) {
    if (element.tagName !== 'a' || property(element, 'rel').includes('nofollow')) continue;
    const href = property(element, 'href').trim();
    if (href === '' || href.length > 2048 || href.startsWith('#') || links.has(href)) continue;
    room -= href.length;
    if (links.size >= maxLinks || room < 0) break;
    links.add(href);
  }
  return [...links];
}

/** Takes the images out of the page that it holds itself: their text is long. */
function keepInlineImages(root: Root, images: InlineImages): void {
  for (const element of elementsIn(root)) {
    const src = element.tagName === 'img' ? property(element, 'src') : '';
    if (!/^data:/i.test(src)) continue;
    element.properties.src = images.addUrl(src) ?? '';
  }
}

/** The title that a page of Confluence has besides the name of its space. */
export const withoutSpaceName = (title: string): string => title.replace(/^[^:]{1,100} : /, '');
