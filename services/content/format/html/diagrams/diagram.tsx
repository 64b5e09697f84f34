import { type DefaultTreeAdapterMap, parseFragment } from 'parse5';
import { h, type VNode } from 'preact';
import { marks } from '../marks.js';
import { newName, type Rendering } from '../rendering.js';

type Element = DefaultTreeAdapterMap['element'];
type Node = DefaultTreeAdapterMap['childNode'];

const maxSource = 10_000;
const maxLines = 200;
const maxConnections = 150;
const maxDiagrams = 20;
const maxElements = 5000;

/** The drawing of a diagram in the colors of the theme; undefined for a kind that cannot be drawn, and for too large or broken ones. */
export function renderDiagram(rendering: Rendering, source: string): VNode | undefined {
  const { drawDiagram } = rendering;
  if (!drawDiagram || isTooLarge(source) || rendering.diagrams >= maxDiagrams) return undefined;
  rendering.diagrams++;
  try {
    const root = parseFragment(drawDiagram(source)).childNodes.find(isElement);
    return root?.tagName === 'svg' ? drawingOf(root, newName(rendering, 'diagram')) : undefined;
  } catch {
    return undefined;
  }
}

/** The time of a layout grows faster than the number of connections, and `&` connects all names on its sides. */
function isTooLarge(source: string): boolean {
  if (source.length > maxSource || source.split('\n').length > maxLines) return true;
  let connections = 0;
  for (const line of source.split('\n')) {
    const joined = line.split('&').length / 2 + 1;
    connections += (line.match(/[-.=<>|ox*{}]{2,}/g)?.length ?? 0) + (joined > 1.5 ? joined ** 2 : 0);
  }
  return connections > maxConnections;
}

const isElement = (node: Node): node is Element => 'tagName' in node;

interface Drawing {
  id: string;
  left: number;
}

function drawingOf(root: Element, id: string): VNode {
  const drawing: Drawing = { id, left: maxElements };
  const attributes = attributesOf(root, drawing);
  return (
    <div class="drawing" tabindex={0}>
      {h(
        'svg',
        { ...attributes, role: 'img', 'aria-label': marks.word('diagram') },
        ...childrenOfElement(root, drawing),
      )}
    </div>
  );
}

const elements = new Set('g defs marker path rect circle ellipse line polyline polygon text tspan'.split(' '));

function childrenOfElement(element: Element, drawing: Drawing): (VNode | string)[] {
  const out: (VNode | string)[] = [];
  const isText = element.tagName === 'text' || element.tagName === 'tspan';
  for (const node of element.childNodes) {
    if (!isElement(node)) {
      if (isText && 'value' in node) out.push(node.value);
    } else if (elements.has(node.tagName)) {
      if (drawing.left-- <= 0) throw new Error('The drawing has too many elements.');
      out.push(h(node.tagName, attributesOf(node, drawing), ...childrenOfElement(node, drawing)));
    }
  }
  return out;
}

/** Lengths, points and paths. */
const geometry = new Set(
  `x y x1 y1 x2 y2 cx cy r rx ry dx dy width height d points transform viewBox markerWidth markerHeight refX refY
  stroke-width stroke-dasharray font-size fill-opacity stroke-opacity opacity`.split(/\s+/),
);
const words = new Set(
  'orient text-anchor dominant-baseline font-weight font-style stroke-linejoin stroke-linecap markerUnits'.split(' '),
);

function attributesOf(element: Element, drawing: Drawing): Record<string, string> {
  const out: Record<string, string> = {};
  for (const { name, value } of element.attrs) {
    if (geometry.has(name) ? /^[\w\s.,()+-]*$/.test(value) : words.has(name) && /^[\w-]*$/.test(value))
      out[name] = value;
    else if (name === 'id' && element.tagName === 'marker') out.id = `${drawing.id}:${value}`;
    else if (name === 'class' && value === 'mono') out.class = value;
    else if (name === 'fill' || name === 'stroke') addColor(out, element, name, value);
    else if (name === 'marker-start' || name === 'marker-end') {
      const marker = /^url\(#([\w-]+)\)$/.exec(value)?.[1];
      if (marker !== undefined) out[name] = `url(#${drawing.id}:${marker})`;
    }
  }
  return out;
}

const isThemed = (color: string) => /^(?:none|currentColor|var\(--[\w-]+\))$/.test(color);
const isColor = (color: string) => /^(?:#[\da-f]{3,8}|[a-z]{3,20})$/i.test(color);

/** A color that an author gives a shape is only hinted at: the text on it must be readable in the light and in the dark. */
function addColor(out: Record<string, string>, { tagName }: Element, name: string, value: string): void {
  if (isThemed(value)) out[name] = value;
  else if (isColor(value) && tagName !== 'text' && tagName !== 'tspan') {
    out[name] = value;
    if (name === 'fill') out['fill-opacity'] = '0.25';
  }
}
