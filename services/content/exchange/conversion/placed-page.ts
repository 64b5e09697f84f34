import { withReplacements } from '../../../../shared/text/replacements.js';
import { frontMatterImages } from '../../format/document/links/front-matter-images.js';
import type { SourceLink } from '../../format/document/links/link-places.js';
import { placesIn } from '../../format/workers/written-page.js';
import { bounds, megabytes } from './bounds.js';
import { type InlineImages, inlineScheme } from './inline-images.js';
import { refusal } from './refused.js';

/** Prefixes of absolute addresses that imported pages and files may have. */
const absolute = ['http://', 'https://', '//', 'HTTP://', 'HTTPS://', 'data:image/', inlineScheme];

/** Finds the links of a page, and takes the images out that it holds itself. Throws 422 for a page that is too large. */
export function placedPage(markdown: string, images: InlineImages): { markdown: string; places: SourceLink[] } {
  const places = [...frontMatterImages(markdown), ...placesIn(markdown, absolute)];
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
