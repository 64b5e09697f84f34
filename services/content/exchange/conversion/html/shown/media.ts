import type { Element } from 'hast';
import { childElements, isElement, lengthInStyle, propertyText } from '../elements.js';

/** The address of a player or frame that an element shows; undefined for any other element. */
export function mediaAddressOf(element: Element): string | undefined {
  if (isElement(element, 'video', 'audio')) {
    const [source] = [element, ...childElements(element, 'source')].flatMap(
      (each) => propertyText(each, 'src').trim() || [],
    );
    return source || undefined;
  }
  if (!isElement(element, 'iframe')) return undefined;
  const src = (propertyText(element, 'src') || propertyText(element, 'dataSrc')).trim();
  return /^(?:https:)?\/\/[^/]/.test(src) && !isTinyFrame(element) ? src.replace(/^\/\//, 'https://') : undefined;
}

/** Frames of one pixel count visits; they are left out. */
const isTinyFrame = (element: Element): boolean =>
  ['width', 'height'].some((name) => /^[01](?:px)?$/.test(propertyText(element, name))) ||
  /^[01](?:px|%)$/.test(lengthInStyle(element, 'width'));

/** The tag of our Markdown for media at an address: a file if it lies beside the page, else an embed. */
export const mediaTag = (url: string): { name: 'embed' | 'file'; attribute: 'url' | 'src' } =>
  /^https?:\/\//i.test(url) ? { name: 'embed', attribute: 'url' } : { name: 'file', attribute: 'src' };
