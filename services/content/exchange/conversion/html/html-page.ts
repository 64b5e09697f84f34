import type { Root } from 'hast';
import { bounds, megabytesText } from '../bounds.js';
import type { InlineImages } from '../inline-images.js';
import { refusal } from '../refused.js';
import { elementsIn, findElement, parseHtml, propertyText } from './elements.js';
import { normalizeJavadoc } from './exported/javadoc.js';
import { joinNotionBlocks, notionPageCover, notionPageEmoji } from './exported/notion-page.js';
import { replaceFormulas } from './formulas/formulas.js';
import { findMainContent } from './main-content.js';
import { htmlToMarkdown } from './markdown-of.js';
import { resolveImages } from './shown/images.js';
import { groupTabs } from './tabs.js';

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
export function readHtmlPage(text: string, images: InlineImages): HtmlPage {
  if (text.length > bounds.html) throw refusal(`url: the page is larger than ${megabytesText(bounds.html)}`);
  const root = parseHtml(text);
  const links = linksIn(root);
  const canonical = findElement(
    root,
    (each) => each.tagName === 'link' && propertyText(each, 'rel').toLowerCase() === 'canonical',
  );
  const base = findElement(root, ({ tagName }) => tagName === 'base');
  resolveImages(root);
  takeImagesOut(root, images);
  replaceFormulas(root);
  joinNotionBlocks(root);
  groupTabs(root);
  normalizeJavadoc(root);
  const frontMatter = notionFrontMatter(root);
  const { content, title, ids } = findMainContent(root);
  return {
    title: title?.slice(0, 255),
    markdown: frontMatter + htmlToMarkdown(content),
    links,
    canonical: (canonical && propertyText(canonical, 'href')) || undefined,
    base: (base && propertyText(base, 'href')) || undefined,
    ids,
  };
}

/** Front matter with the icon and the cover that Notion shows above a page. */
function notionFrontMatter(root: Root): string {
  const values = Object.entries({ emoji: notionPageEmoji(root), cover: notionPageCover(root) });
  const lines = values.flatMap(([key, value]) => (value ? [`${key}: ${JSON.stringify(value)}\n`] : []));
  return lines.length > 0 ? `---\n${lines.join('')}---\n\n` : '';
}

function linksIn(root: Root): string[] {
  const links = new Set<string>();
  let room = maxLinkCharacters;
  for (const element of elementsIn(root)) {
    if (element.tagName !== 'a' || propertyText(element, 'rel').includes('nofollow')) continue;
    const href = propertyText(element, 'href').trim();
    if (href === '' || href.length > 2048 || href.startsWith('#') || links.has(href)) continue;
    room -= href.length;
    if (links.size >= maxLinks || room < 0) break;
    links.add(href);
  }
  return [...links];
}

/** Takes the images out of the page that it holds itself: their text is long. */
function takeImagesOut(root: Root, images: InlineImages): void {
  for (const element of elementsIn(root)) {
    const src = element.tagName === 'img' ? propertyText(element, 'src') : '';
    if (!/^data:/i.test(src)) continue;
    element.properties.src = images.addUrl(src) ?? '';
  }
}

/** The title that a page of Confluence has besides the name of its space. */
export const withoutSpaceName = (title: string): string => title.replace(/^[^:]{1,100} : /, '');
