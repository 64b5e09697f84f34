import type { Element, Parents } from 'hast';
import { escapeHtml } from '../../../../../../shared/text/escaped-html.js';
import { elementsIn, isElement, lengthInStyle, property } from '../elements.js';

/** Gives images the address that a browser shows, also where a script would load it later, and shows those of `noscript` that have no other. */
export function placeImages(root: Parents): void {
  for (const parent of [root, ...elementsIn(root)]) {
    const images = parent.children.filter((child): child is Element => isElement(child, 'img', 'picture'));
    for (const child of parent.children) {
      if (isElement(child, 'noscript') && images.length === 0) showImage(child);
      if (isElement(child, 'img')) placeImage(child, isElement(parent, 'picture') ? parent : undefined);
    }
  }
}

/** Without a script a browser shows what is in `noscript`; an image there is mostly one that a script loads. */
function showImage(noscript: Element): void {
  const isImage = noscript.children.every(
    (child) => isElement(child, 'img', 'picture') || (child.type === 'text' && child.value.trim() === ''),
  );
  if (isImage) noscript.tagName = 'span';
}

function placeImage(image: Element, picture: Element | undefined): void {
  const src = property(image, 'src').trim();
  const later = ['dataSrc', 'dataLazySrc', 'dataOriginal'].map((name) => property(image, name).trim()).find(Boolean);
  const sources = picture?.children.filter((child): child is Element => isElement(child, 'source')) ?? [];
  const dark = sources.find((source) => /prefers-color-scheme:\s?dark/.test(property(source, 'media')));
  const others = sources.filter((source) => source !== dark);
  // One for narrow screens, say, is not what others see.
  const always = others.filter((source) => property(source, 'media') === '');
  const own = largestIn(image, 'dataSrcset') || later || largestIn(image, 'srcSet');
  const drawn = src.startsWith('data:') ? '' : src;
  image.properties.src = own || sourceIn(always) || drawn || sourceIn(others) || src;
  if (dark) image.properties.dataDark = largestIn(dark, 'srcSet');
}

const sourceIn = (sources: readonly Element[]): string | undefined =>
  sources.map((source) => largestIn(source, 'srcSet') || largestIn(source, 'dataSrcset')).find(Boolean);

/** The largest image of a `srcset`; '' for none. */
function largestIn(element: Element, name: string): string {
  let [largest, url] = [-1, ''];
  for (const [, address = '', size = '1'] of property(element, name)
    .slice(0, 10_000)
    .matchAll(/([^\s,]\S{0,2000})(?:\s{1,9}(\d{1,6}(?:\.\d{1,3})?)[wx])?/g)) {
    if (Number(size) > largest) [largest, url] = [Number(size), address.replace(/,$/, '')];
  }
  return url;
}

/** The address of an image. */
export const imageSource = (image: Element): string => property(image, 'src').trim();

export function imageTag(image: Element): string {
  const shown = `<img${attribute('src', imageSource(image))} alt="${escapeHtml(property(image, 'alt'))}"${attribute('width', widthOf(image))}>`;
  const dark = property(image, 'dataDark');
  return dark === ''
    ? shown
    : `<picture><source${attribute('srcset', dark)} media="(prefers-color-scheme: dark)">${shown}</picture>`;
}

/** Whether an image needs more than Markdown says of one. */
export const isStyled = (image: Element): boolean => widthOf(image) !== '' || property(image, 'dataDark') !== '';

/** `320` or `50%`; '' where nothing is said. */
const widthOf = (image: Element): string =>
  /^\d{1,4}(?=$|px$|%$)%?/.exec(property(image, 'width') || lengthInStyle(image, 'width'))?.[0] ?? '';

export const attribute = (name: string, value: string): string =>
  value === '' ? '' : ` ${name}="${escapeHtml(value)}"`;
