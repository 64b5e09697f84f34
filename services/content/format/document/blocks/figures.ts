import type { Element, Node } from '../../markdown/nesting.js';
import { isBlank } from '../../markdown/source-text.js';
import { type Context, newBlock, paragraph, refOfUrl } from '../context/context.js';
import { type BlockNode, type Data, type Fragment, newFragment } from '../document-model.js';
import { imageOfElement, stylePropertyOf } from '../inlines/html-inlines.js';
import { convertToInlines } from '../inlines/inlines.js';

interface Image {
  src: string;
  dark?: string;
  alt: string;
  width?: string;
  height?: string;
  drawing: boolean;
  caption?: Node[];
}

/** A run of images as one block of images (or drawings); undefined when it contains anything else. */
export function imageBlocks(nodes: Node[], context: Context, depth: number): BlockNode[] | undefined {
  const images: Image[] = [];
  for (const node of nodes) {
    const image = readImage(node);
    if (image) images.push(image);
    else if (!isBlank([node]) && node.kind !== 'break') return undefined;
  }
  return images.length > 0 ? imageRowBlocks(images, context, depth) : undefined;
}

/** One block of the images of figures, everything else in them as `others`, and what is said below no image as `caption`. */
export function figureBlocks(
  figures: Element[],
  context: Context,
  depth: number,
): { blocks: BlockNode[]; others: Node[]; caption: Node[] } {
  const read = figures.map(readFigure);
  const images = read.flatMap((figure) => figure.images);
  return {
    blocks: imageRowBlocks(images, context, depth),
    others: read.flatMap((figure) => figure.others),
    caption: read.flatMap((figure) => figure.caption),
  };
}

/** The figures of an element that holds several figures of images and nothing else: the editor writes a block of images so. */
export function figuresIfAlone({ children }: Element): Element[] | undefined {
  const figures = children.filter((child): child is Element => child.kind === 'element' && child.name === 'figure');
  if (figures.length < 2 || !children.every((child) => figures.includes(child as Element) || isBlank([child])))
    return undefined;
  const isImages = ({ images, others }: ReturnType<typeof readFigure>) => images.length > 0 && others.length === 0;
  return figures.map(readFigure).every(isImages) ? figures : undefined;
}

/** The images of a `<figure>`, the last one with the caption. */
function readFigure(figure: Element): { images: Image[]; others: Node[]; caption: Node[] } {
  const images: Image[] = [];
  const others: Node[] = [];
  let caption: Node[] | undefined;
  for (const child of figure.children) {
    const image = readImage(child) ?? (isLinkedImage(child) ? readImage(child.children[0] as Node) : undefined);
    if (image) images.push(image);
    else if (child.kind === 'element' && child.name === 'figcaption') caption = child.children;
    else if (!isBlank([child])) others.push(child);
  }
  const last = images.at(-1);
  const isOfImage = last !== undefined && caption !== undefined && !isBlank(caption);
  if (isOfImage) last.caption = caption;
  return { images, others, caption: isOfImage ? [] : (caption ?? []) };
}

function isLinkedImage(node: Node): node is Element {
  return node.kind === 'element' && node.name === 'a' && node.children.length === 1;
}

/** Undefined for anything but an image, and for an image within a line of text. */
function readImage(node: Node): Image | undefined {
  if (node.kind === 'image') {
    const caption: Node[] | undefined = node.title === '' ? undefined : [{ kind: 'text', value: node.title }];
    return { src: node.url, alt: node.alt, drawing: false, caption };
  }
  if (node.kind !== 'element' || (node.name !== 'img' && node.name !== 'picture')) return undefined;
  const found = imageOfElement(node);
  if (!found || 'data-size' in found.image.attributes) return undefined;
  const { src = '', alt = '', class: classes = '', style } = found.image.attributes;
  const { width = stylePropertyOf(style, 'width'), height = stylePropertyOf(style, 'height') } = found.image.attributes;
  return { src, alt, width, height, drawing: classes.split(/\s+/).includes('gitbook-drawing'), dark: found.dark };
}

function imageRowBlocks(images: Image[], context: Context, depth: number): BlockNode[] {
  const out: BlockNode[] = [];
  let row: BlockNode[] = [];
  const flush = () => {
    if (row.length > 0) out.push(newBlock(context, 'images', {}, { nodes: row }));
    row = [];
  };
  for (const image of images) {
    const fragments = captionFragments(image.caption, context, depth);
    if (image.drawing) {
      flush();
      out.push(
        newBlock(
          context,
          'drawing',
          { ref: refOfUrl(context, image.src, 'image') },
          { fragments, identity: image.src },
        ),
      );
    } else row.push(newBlock(context, 'image', imageData(image, context), { fragments, identity: image.src }));
  }
  flush();
  return out;
}

function imageData(image: Image, context: Context): Data {
  const data: Data = { ref: refOfUrl(context, image.src, 'image') };
  if (image.dark !== undefined) data.refDark = refOfUrl(context, image.dark, 'image');
  const width = readLength(image.width);
  const height = readLength(image.height);
  if (width !== undefined) data.width = width;
  if (height !== undefined) data.height = height;
  if (image.alt !== '') data.alt = image.alt;
  return data;
}

/** `375` or `375px` -> pixels, `50%` -> with its unit. */
export function readLength(value: string | undefined): number | { unit: string; value: number } | undefined {
  const found = /^\s*(\d{1,6}(?:\.\d{1,20})?)\s*(px|%)?\s*$/.exec(value ?? '');
  if (!found) return undefined;
  const size = Number(found[1]);
  return found[2] === '%' ? { unit: '%', value: size } : size;
}

/** The caption fragment, with one paragraph for each `<p>`; no fragment for an empty caption. */
export function captionFragments(caption: Node[] | undefined, context: Context, depth: number): Fragment[] {
  if (!caption || isBlank(caption)) return [];
  const inner = caption.filter((node) => !isBlank([node]));
  const parts = inner.every(isParagraphElement) ? inner.map((part) => part.children) : [caption];
  const nodes = parts.map((part) => paragraph(context, convertToInlines(part, context, depth)));
  return [newFragment('caption', nodes)];
}

function isParagraphElement(node: Node): node is Element {
  return node.kind === 'element' && node.name === 'p';
}
