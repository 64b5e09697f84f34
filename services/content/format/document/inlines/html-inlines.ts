import { normalizeLabel } from '../../markdown/link-syntax.js';
import type { Element } from '../../markdown/nesting.js';
import { textOfNodes } from '../../markdown/source-text.js';
import { refOfUrl } from '../context/context.js';
import { type Data, type Mark, newVoidInline } from '../document-model.js';
import {
  type Writer,
  writeAnnotation,
  writeInlineNodes,
  writeLink,
  writeText,
  writeWithMark,
} from './inline-writer.js';

const MARKS = new Map<string, Mark['type']>([
  ['strong', 'bold'],
  ['b', 'bold'],
  ['em', 'italic'],
  ['i', 'italic'],
  ['s', 'strikethrough'],
  ['del', 'strikethrough'],
  ['strike', 'strikethrough'],
  ['code', 'code'],
  ['samp', 'code'],
  ['tt', 'code'],
  ['kbd', 'keyboard'],
  ['sup', 'superscript'],
  ['sub', 'subscript'],
]);

/** Writes an HTML element among inlines. An element without a meaning here is replaced by its content. */
export function writeElement(writer: Writer, element: Element): void {
  const { name, attributes, children } = element;
  const classes = (attributes.class ?? '').split(/\s+/);
  const icon = name === 'i' ? classes.findLast((entry) => entry.startsWith('fa-')) : undefined;
  const type = MARKS.get(name);
  if (name === 'a') writeAnchor(writer, element, classes);
  else if (name === 'button') writeButton(writer, element, classes);
  else if (name === 'br') writeText(writer, '\n');
  else if (name === 'img' || name === 'picture') writeImage(writer, element);
  else if (name === 'code' && classes.includes('expression')) {
    writer.out.push(newVoidInline('expression', { expression: textOfNodes(children) }));
  } else if (icon) writer.out.push(newVoidInline('icon', { icon: icon.slice(3) }));
  else if ('data-gb-custom-inline' in attributes && writeCustomInline(writer, attributes)) return;
  else if (name === 'mark')
    writeWithMark(writer, colorMarkOf(attributes.style), () => writeInlineNodes(writer, children));
  else if (type) writeWithMark(writer, { object: 'mark', type }, () => writeInlineNodes(writer, children));
  else {
    if (SEPARATE.has(name) && writer.out.length > 0) writeText(writer, ' ');
    writeInlineNodes(writer, children);
  }
}

const SEPARATE = new Set('p div li tr td th h1 h2 h3 h4 h5 h6 figcaption summary dt dd option'.split(' '));

function writeAnchor(writer: Writer, element: Element, classes: string[]): void {
  const { attributes, children } = element;
  const { href } = attributes;
  const label = 'data-footnote-ref' in attributes ? /^#(?:user-content-)?fn-(.+)$/.exec(href ?? '')?.[1] : undefined;
  // An empty `<a href="#x" id="x">` is an anchor only.
  const place = href === undefined || (children.length === 0 && attributes.id !== undefined);
  if (classes.includes('button')) writeButton(writer, element, classes);
  else if (label !== undefined) writeAnnotation(writer, normalizeLabel(label), children);
  else if (place) writeInlineNodes(writer, children);
  else writeLink(writer, href, 'data-mention' in attributes, children);
}

function writeButton(writer: Writer, { attributes, children }: Element, classes: string[]): void {
  const { href, 'data-icon': icon, 'data-action': action, 'data-query': query } = attributes;
  const kind = classes.includes('secondary') ? 'secondary' : 'primary';
  const data: Data = { label: textOfNodes(children).trim(), kind };
  if (icon) data.icon = icon;
  if (action) data.action = action;
  if (query) data.query = query;
  // Always a reference, because renderers read its kind. For a button without a target it is empty.
  data.ref = href === undefined ? { kind: 'url', url: '' } : refOfUrl(writer.context, href, 'button');
  writer.out.push(newVoidInline('button', data));
}

function writeImage(writer: Writer, element: Element): void {
  const found = imageOfElement(element);
  if (!found) {
    writeInlineNodes(writer, element.children);
    return;
  }
  const { image, dark } = found;
  const { src = '', alt, 'data-size': size } = image.attributes;
  const data: Data = { ref: refOfUrl(writer.context, src, 'image') };
  if (dark !== undefined) data.refDark = refOfUrl(writer.context, dark, 'image');
  if (alt) data.caption = alt;
  if (size === 'line' || size === 'original') data.size = size;
  writer.out.push(newVoidInline('inline-image', data));
}

/** The image of an `<img>` or `<picture>`, and the URL of its dark variant. */
export function imageOfElement(element: Element): { image: Element; dark?: string } | undefined {
  if (element.name === 'img') return { image: element };
  const inside = element.children.filter((child): child is Element => child.kind === 'element');
  const image = inside.find((child) => child.name === 'img');
  if (!image) return undefined;
  const dark = inside.find((child) => child.name === 'source' && child.attributes.media?.includes('dark'));
  const url = dark?.attributes.srcset?.trim();
  return url ? { image, dark: url } : { image };
}

function writeCustomInline(writer: Writer, attributes: Record<string, string>): boolean {
  const { 'data-tag': tag, 'data-code': code, 'data-icon': icon } = attributes;
  if (tag === 'emoji' && code) writer.out.push(newVoidInline('emoji', { code }));
  else if (tag === 'icon' && icon) writer.out.push(newVoidInline('icon', { icon }));
  else return false;
  return true;
}

const COLORS = new Set(
  'default green blue red orange yellow purple $primary $info $success $warning $danger'.split(' '),
);

/** The value of a property in a `style` attribute. */
export function stylePropertyOf(style: string | undefined, property: string): string | undefined {
  const declaration = style?.split(';').find((entry) => entry.trim().toLowerCase().startsWith(`${property}:`));
  return declaration?.slice(declaration.indexOf(':') + 1).trim();
}

function colorMarkOf(style: string | undefined): Mark {
  const colorOf = (property: string, other: string) => {
    const value = stylePropertyOf(style, property);
    return value === undefined || COLORS.has(value) ? (value ?? 'default') : other;
  };
  // A `<mark>` without a style is a highlight, as is one in a color that documents do not have.
  const isPlain = style === undefined || stylePropertyOf(style, 'background') !== undefined;
  const background = isPlain ? 'yellow' : colorOf('background-color', 'yellow');
  return { object: 'mark', type: 'color', data: { text: colorOf('color', 'default'), background } };
}
