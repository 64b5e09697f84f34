import { readFileSync } from 'node:fs';
import { withReplacements } from '../../../../shared/text/replacements.js';
import { frontMatterImagePlaces } from '../../format/document/links/front-matter-images.js';
import type { SourceLink } from '../../format/document/links/link-places.js';
import { linkPlacesIn } from '../../format/workers/written-page.js';
import { bounds, megabytesText } from './bounds.js';
import { decodeText } from './decoded-text.js';
import { readDocxPage } from './docx-page.js';
import { type HtmlPage, readHtmlPage, withoutSpaceName } from './html/html-page.js';
import { InlineImages, inlineScheme } from './inline-images.js';
import { readMarkdownPage } from './markdown/markdown-page.js';
import { csvToTable } from './markdown/table-page.js';
import type { ConvertedPage, Flavour, GivenFile, PageFormat } from './model.js';
import { refusal } from './refused.js';

export { unpack } from './archives/unpacked.js';
export { pastedMarkdown } from './html/pasted-html.js';
export { planTree } from './layouts/planned-tree.js';
export { askRobots } from './robots.js';

export interface ConvertedSource {
  file: GivenFile;
  format: PageFormat;
  flavour: Flavour;
  /** The folder for files of the page, and a name that distinguishes them from those of other pages. */
  folder: string;
  name: string;
  /** Images of the page itself that are taken. */
  maxImages: number;
  /** Files of the source that this one may include, by their paths. */
  included?: ReadonlyMap<string, GivenFile> | undefined;
}

/** Reads a page of any format as Markdown of ours. Throws 422 for one that cannot be. */
export async function convertedPage(page: ConvertedSource): Promise<ConvertedPage> {
  const images = new InlineImages(page.maxImages);
  const { title, markdown, links = [], canonical, base, ids } = await readAsMarkdown(page, images);
  const placed = takeInlineImages(markdown, images);
  return {
    ...placed,
    titled: page.format === 'markdown' && title !== undefined,
    title: title && toTitleLine(title),
    inline: await images.write(page.folder, page.name),
    links,
    canonical,
    base,
    ids,
  };
}

type Read = Pick<ConvertedPage, 'title' | 'markdown'> & Partial<Pick<HtmlPage, 'links' | 'canonical' | 'base' | 'ids'>>;

async function readAsMarkdown(
  { file, format, flavour, folder, name, included }: ConvertedSource,
  images: InlineImages,
): Promise<Read> {
  if (format === 'docx') return readDocxPage({ file: file.file, folder: `${folder}/${name}-parts`, images });
  if (file.size > bounds.source) throw refusal(`url: the page is larger than ${megabytesText(bounds.source)}`);
  // Without a wait before the text is read: the engine stops only a task that is not waiting.
  const text = decodeText({ bytes: readFileSync(file.file), contentType: file.contentType });
  if (format === 'csv') return { title: undefined, markdown: csvToTable(text) };
  if (format === 'html') {
    const page = readHtmlPage(text, images);
    return flavour === 'confluence' && page.title ? { ...page, title: withoutSpaceName(page.title) } : page;
  }
  const readText = (path: string) => {
    const place = included?.get(path);
    return place && place.size <= bounds.page ? decodeText({ bytes: readFileSync(place.file) }) : undefined;
  };
  return readMarkdownPage({ text, path: file.path, flavour, readText });
}

const toTitleLine = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, 255);

/** Prefixes of absolute addresses that imported pages and files may have. */
const absolute = ['http://', 'https://', '//', 'HTTP://', 'HTTPS://', 'data:image/', inlineScheme];

/** Finds the links of a page, and takes the images out that it holds itself. Throws 422 for a page that is too large. */
function takeInlineImages(markdown: string, images: InlineImages): { markdown: string; places: SourceLink[] } {
  const places = [...frontMatterImagePlaces(markdown), ...linkPlacesIn(markdown, absolute)];
  const taken = places.flatMap(({ url, from, to, without }) => {
    if (!url.startsWith('data:')) return [];
    const text = images.addUrl(url);
    return [text === undefined ? without : { from, to, text }];
  });
  if (taken.length > 0) return takeInlineImages(withReplacements(markdown, taken), images);
  if (Buffer.byteLength(markdown) > bounds.page)
    throw refusal(`url: the page has more than ${megabytesText(bounds.page)} of Markdown`);
  if (places.length > bounds.links)
    throw refusal(`url: the page has more than ${bounds.links.toLocaleString('en')} links and images`);
  return { markdown, places };
}
