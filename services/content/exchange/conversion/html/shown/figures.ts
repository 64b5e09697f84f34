import type { Element, ElementContent } from 'hast';
import { escapeHtml } from '../../../../../../shared/text/escaped-html.js';
import { elementsIn, findElement, isElement, propertyText } from '../elements.js';
import { htmlAttribute, imageSource, imageTag } from './images.js';
import { mediaAddressOf } from './media.js';

export interface Figure {
  /** As HTML, where a figure shows nothing else. */
  images: string | undefined;
  /** The address of the player or frame that it shows, and nothing else. */
  media: string | undefined;
  caption: Element | undefined;
}

/** Reads the images, the media and the caption of a figure. */
export function readFigure(figure: Element): Figure {
  const caption = findElement(figure, ({ tagName }) => tagName === 'figcaption');
  const images = isOnlyImages(figure) ? [...elementsIn(figure)].filter(isShownImage) : [];
  const said = caption ? `<figcaption>${captionParagraphs(caption)}</figcaption>` : '';
  return {
    images: images.length > 0 ? `<figure>${images.map(imageTag).join('')}${said}</figure>` : undefined,
    media: onlyMediaIn(figure),
    caption,
  };
}

const isBlankOrCaption = (node: ElementContent): boolean =>
  isElement(node, 'figcaption') || (node.type === 'text' && node.value.trim() === '');

function onlyMediaIn({ children }: Element): string | undefined {
  const [only, ...others] = children.filter((child) => !isBlankOrCaption(child));
  if (!isElement(only) || others.length > 0) return undefined;
  return mediaAddressOf(only) ?? (only.tagName === 'div' ? onlyMediaIn(only) : undefined);
}

const isShownImage = (element: Element): boolean => isElement(element, 'img') && imageSource(element) !== '';

const imageParts = new Set(['img', 'source', 'br']);
const aroundImages = new Set(['a', 'div', 'p', 'span', 'picture', 'center']);
const imageFile = /\.(?:png|jpe?g|gif|svg|webp|avif|bmp)(?:[?#]|$)/i;

/** A link to the image itself only shows it larger, as readers of ours see it anyway. */
const isOnlyImages = (figure: Element): boolean =>
  figure.children.every((child) => {
    if (isBlankOrCaption(child) || child.type === 'comment') return true;
    if (!isElement(child)) return false;
    if (imageParts.has(child.tagName)) return true;
    if (child.tagName === 'a' && !imageFile.test(propertyText(child, 'href'))) return false;
    return aroundImages.has(child.tagName) && isOnlyImages(child);
  });

/** A paragraph of HTML for each of a caption. */
function captionParagraphs({ children }: Element): string {
  const parts = children.filter((child) => isElement(child, 'p', 'div')) as Element[];
  const lines = parts.length > 0 ? parts.map((part) => part.children) : [children];
  return lines.map((line) => `<p>${line.map(inlineHtml).join('').trim()}</p>`).join('');
}

const kept = new Map(
  Object.entries({
    b: 'strong',
    strong: 'strong',
    i: 'em',
    em: 'em',
    cite: 'em',
    code: 'code',
    s: 'del',
    del: 'del',
    sub: 'sub',
    sup: 'sup',
  }),
);

/** A node of a caption as HTML that our Markdown reads. */
function inlineHtml(node: ElementContent): string {
  if (node.type === 'text') return escapeHtml(node.value.replace(/\s+/g, ' '));
  if (!isElement(node)) return '';
  if (node.tagName === 'br') return '<br>';
  const inside = node.children.map(inlineHtml).join('');
  const href = node.tagName === 'a' ? safeAddressOf(node) : undefined;
  if (href !== undefined) return inside && `<a${htmlAttribute('href', href)}>${inside}</a>`;
  const name = kept.get(node.tagName);
  return name ? `<${name}>${inside}</${name}>` : inside;
}

/** The address of a link; undefined where it has none, or one that a reader cannot safely follow. */
export function safeAddressOf(link: Element): string | undefined {
  const href = propertyText(link, 'href').trim();
  const isLink = href !== '' && (/^(?:https?|mailto|tel|ftp):/i.test(href) || !/^[^/?#]*:/.test(href));
  return isLink ? href : undefined;
}
