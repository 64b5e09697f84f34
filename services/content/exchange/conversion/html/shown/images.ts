import type { Element, Parents } from 'hast';
import { escapeHtml } from '../../../../../../shared/text/escaped-html.js';
import { elementsIn, isElement, lengthInStyle, propertyText } from '../elements.js';

/** Gives images the address that a browser shows, also where a script would load it later, and shows those of `noscript` that have no other. */
export function resolveImages(root: Parents): void {
  for (const parent of [root, ...elementsIn(root)]) {
    const images = parent.children.filter((child): child is Element => isElement(child, 'img', 'picture'));
    for (const child of parent.children) {
      if (isElement(child, 'noscript') && images.length === 0) unwrapNoscript(child);
      if (isElement(child, 'img')) resolveImage(child, isElement(parent, 'picture') ? parent : undefined);
    }
  }
}

/** Without a script a browser shows what is in `noscript`; an image there is mostly one that a script loads. */
function unwrapNoscript(noscript: Element): void {
  const isImage = noscript.children.every(
    (child) => isElement(child, 'img', 'picture') || (child.type === 'text' && child.value.trim() === ''),
  );
  if (isImage) noscript.tagName = 'span';
}

function resolveImage(image: Element, picture: Element | undefined): void {
  const src = propertyText(image, 'src').trim();
  const later = ['dataSrc', 'dataLazySrc', 'dataOriginal']
    .map((name) => propertyText(image, name).trim())
    .find(Boolean);
  const sources = picture?.children.filter((child): child is Element => isElement(child, 'source')) ?? [];
  const dark = sources.find((source) => /prefers-color-scheme:\s?dark/.test(propertyText(source, 'media')));
  const others = sources.filter((source) => source !== dark);
  // One for narrow screens, say, is not what others see.
  const always = others.filter((source) => propertyText(source, 'media') === '');
  const own = largestInSrcset(image, 'dataSrcset') || later || largestInSrcset(image, 'srcSet');
  const drawn = src.startsWith('data:') ? '' : src;
  image.properties.src = own || sourceOfPicture(always) || drawn || sourceOfPicture(others) || src;
  if (dark) image.properties.dataDark = largestInSrcset(dark, 'srcSet');
}

const sourceOfPicture = (sources: readonly Element[]): string | undefined =>
  sources.map((source) => largestInSrcset(source, 'srcSet') || largestInSrcset(source, 'dataSrcset')).find(Boolean);

/** The largest image of a `srcset`; '' for none. */
function largestInSrcset(element: Element, name: string): string {
  let [largest, url] = [-1, ''];
  for (const [, address = '', size = '1'] of propertyText(element, name)
    .slice(0, 10_000)
    .matchAll(/([^\s,]\S{0,2000})(?:\s{1,9}(\d{1,6}(?:\.\d{1,3})?)[wx])?/g)) {
    if (Number(size) > largest) [largest, url] = [Number(size), address.replace(/,$/, '')];
  }
  return url;
}

/** The address of an image. */
export const imageSource = (image: Element): string => propertyText(image, 'src').trim();

export function imageTag(image: Element): string {
  const shown = `<img${htmlAttribute('src', imageSource(image))} alt="${escapeHtml(propertyText(image, 'alt'))}"${htmlAttribute('width', imageWidthOf(image))}>`;
  const dark = propertyText(image, 'dataDark');
  return dark === ''
    ? shown
    : `<picture><source${htmlAttribute('srcset', dark)} media="(prefers-color-scheme: dark)">${shown}</picture>`;
}

/** Whether an image needs more than Markdown says of one. */
export const isStyledImage = (image: Element): boolean =>
  imageWidthOf(image) !== '' || propertyText(image, 'dataDark') !== '';

/** `320` or `50%`; '' where nothing is said. */
const imageWidthOf = (image: Element): string =>
  /^\d{1,4}(?=$|px$|%$)%?/.exec(propertyText(image, 'width') || lengthInStyle(image, 'width'))?.[0] ?? '';

export const htmlAttribute = (name: string, value: string): string =>
  value === '' ? '' : ` ${name}="${escapeHtml(value)}"`;
