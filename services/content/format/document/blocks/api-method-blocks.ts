import type { Node, TagElement } from '../../markdown/nesting.js';
import { isBlank } from '../../markdown/source-text.js';
import { blocksOf, type Context, paragraph } from '../context/context.js';
import { type BlockNode, type DocumentNode, text } from '../document-model.js';
import { inlineNodes, parsedInlines } from '../inlines/inlines.js';

/** Where the parameters in these parts of a request are. */
const places: Record<string, string> = {
  'api-method-path-parameters': 'path',
  'api-method-query-parameters': 'query',
  'api-method-headers': 'header',
  'api-method-body-parameters': 'body',
  'api-method-form-data-parameters': 'formData',
  'api-method-cookies': 'cookie',
};

/** The oldest block that describes an operation, `{% api-method %}` with the tags in it: plain blocks, as of `{% swagger %}`. */
export function apiMethodBlocks(tag: TagElement, context: Context, depth: number): BlockNode[] {
  const { method = '', host = '', path = '', name = '', type = '', httpCode = '', in: place = '' } = tag.attributes;
  if (tag.name === 'api-method')
    return captionBlocks(tag, `${method.toUpperCase()} ${host}${path}`.trim(), 'api-method-summary', context, depth);
  if (tag.name === 'api-method-response-example')
    return captionBlocks(tag, httpCode, 'api-method-response-example-description', context, depth);
  if (tag.name === 'api-method-parameter') {
    const note = [type, place && `(${place})`].filter((part) => part !== '').join(' ');
    const line = name === '' && note === '' ? [] : [captionLine(context, name, note === '' ? [] : [text(note)])];
    return [...line, ...blocksOf(tag.children, context, depth)];
  }
  return blocksOf(
    tag.children.map((child) => withPlace(child, places[tag.name])),
    context,
    depth,
  );
}

/** A parameter that knows where it is. */
function withPlace(child: Node, place: string | undefined): Node {
  if (place === undefined || child.kind !== 'tag-element' || child.name !== 'api-method-parameter') return child;
  return { ...child, attributes: { in: place, ...child.attributes } };
}

/** A line of code with the text of an inner tag behind it, then the other blocks. */
function captionBlocks(tag: TagElement, code: string, note: string, context: Context, depth: number): BlockNode[] {
  const inner = tag.children.find((child): child is TagElement => child.kind === 'tag-element' && child.name === note);
  const said = inner?.children.filter((child) => !isBlank([child])) ?? [];
  const [first] = said;
  const isLine = said.length === 1 && first?.kind === 'paragraph';
  const line = isLine ? inlineNodes(parsedInlines(first.text, context, depth), context, depth) : [];
  const rest = tag.children.filter((child) => !(isLine && child === inner));
  const caption = code === '' && line.length === 0 ? [] : [captionLine(context, code, line)];
  return [...caption, ...blocksOf(rest, context, depth)];
}

function captionLine(context: Context, code: string, note: DocumentNode[]): BlockNode {
  const start = text(code, [{ object: 'mark', type: 'code' }]);
  if (note.length > 0) start.leaves.push({ object: 'leaf', text: ' ', marks: [] });
  return paragraph(context, code === '' ? note : [start, ...note]);
}
