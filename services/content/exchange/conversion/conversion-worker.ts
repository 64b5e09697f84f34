import { readFileSync } from 'node:fs';
import { withReplacements } from '../../../../shared/text/replacements.js';
import { frontMatterImagePlaces } from '../../format/document/links/front-matter-images.js';
import type { SourceLink } from '../../format/document/links/link-places.js';
import { linkPlacesIn } from '../../format/workers/written-page.js';
import { bounds, megabytes } from './bounds.js';
import { decodeText } from './decoded-text.js';
import { docxPage } from './docx-page.js';
import { type HtmlPage, htmlPage, withoutSpaceName } from './html/html-page.js';
import { InlineImages, inlineScheme } from './inline-images.js';
import { markdownPage } from './markdown/markdown-page.js';
import { tablePage } from './markdown/table-page.js';
import type { ConvertedPage, Flavour, GivenFile, PageFormat } from './model.js';
import { refusal } from './refused.js';

export { unpack } from './archives/unpacked.js';
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
  const { title, markdown, links = [], canonical, base, ids } = await readPage(page, images);
  const placed = placedPage(markdown, images);
  return {
    ...placed,
    titled: page.format === 'markdown' && title !== undefined,
    title: title && oneLine(title),
    inline: await images.write(page.folder, page.name),
    links,
    canonical,
    base,
    ids,
  };
}

type Read = Pick<ConvertedPage, 'title' | 'markdown'> & Partial<Pick<HtmlPage, 'links' | 'canonical' | 'base' | 'ids'>>;

async function readPage(
  { file, format, flavour, folder, name, included }: ConvertedSource,
  images: InlineImages,
): Promise<Read> {
  if (format === 'docx') return docxPage({ file: file.file, folder: `${folder}/${name}-parts`, images });
  if (file.size > bounds.source) throw refusal(`url: the page is larger than ${megabytes(bounds.source)}`);
  // Without a wait before the text is read: the engine stops only a task that is not waiting.
  const text = decodeText({ bytes: readFileSync(file.file), contentType: file.contentType });
  if (format === 'csv') return { title: undefined, markdown: tablePage(text) };
  if (format === 'html') {
    const page = htmlPage(text, images);
    return flavour === 'confluence' && page.title ? { ...page, title: withoutSpaceName(page.title) } : page;
  }
  const readText = (path: string) => {
    const place = included?.get(path);
    return place && place.size <= bounds.page ? decodeText({ bytes: readFileSync(place.file) }) : undefined;
  };
  return markdownPage({ text, path: file.path, flavour, readText });
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, 255);

/** Prefixes of absolute addresses that imported pages and files may have. */
const absolute = ['http://', 'https://', '//', 'HTTP://', 'HTTPS://', 'data:image/', inlineScheme];

/** Finds the links of a page, and takes the images out that it holds itself. Throws 422 for a page that is too large. */
function placedPage(markdown: string, images: InlineImages): { markdown: string; places: SourceLink[] } {
  const places = [...frontMatterImagePlaces(markdown), ...linkPlacesIn(markdown, absolute)];
  const taken = places.flatMap(({ url, from, to, without }) => {
    if (!url.startsWith('data:')) return [];
    const text = images.addUrl(url);
    return [text === undefined ? without : { from, to, text }];
  });
  if (taken.length > 0) return placedPage(withReplacements(markdown, taken), images);
  if (Buffer.byteLength(markdown) > bounds.page)
    throw refusal(`url: the page has more than ${megabytes(bounds.page)} of Markdown`);
  if (places.length > bounds.links)
    throw refusal(`url: the page has more than ${bounds.links.toLocaleString('en')} links and images`);
  return { markdown, places };
}
