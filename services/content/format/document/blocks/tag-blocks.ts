import { omitUndefined } from '../../../../../shared/values/omit-undefined.js';
import type { Node, TagElement } from '../../markdown/nesting.js';
import { isBlank } from '../../markdown/source-text.js';
import { parseTagAttributes } from '../../markdown/tags.js';
import {
  blocksOf,
  blocksOrParagraph,
  type Context,
  deferAnchor,
  newBlock,
  paragraph,
  refOfUrl,
} from '../context/context.js';
import { type BlockNode, type Data, type DocumentNode, textNode } from '../document-model.js';
import { convertToInlines, parseRawInlines } from '../inlines/inlines.js';
import { codeBlock, preBlock } from './code-blocks.js';
import { blocksWithoutFallback } from './fallback-links.js';
import { captionFragments, readLength } from './figures.js';
import { embedBlock } from './html-blocks.js';
import { openApiBlocks, swaggerBlocks } from './openapi-blocks.js';

type Convert = (tag: TagElement, context: Context, depth: number) => BlockNode[];

const TAGS: Record<string, Convert> = {
  hint: hintBlocks,
  tabs: containerConverter('tabs', ['tab', 'code-tabs-item'], tabBlock),
  tab: loneItemConverter('tabs', tabBlock),
  'code-tabs': containerConverter('tabs', ['tab', 'code-tabs-item'], tabBlock),
  'code-tabs-item': loneItemConverter('tabs', tabBlock),
  stepper: containerConverter('stepper', ['step'], stepBlock),
  step: loneItemConverter('stepper', stepBlock),
  columns: containerConverter('columns', ['column'], columnBlock),
  column: loneItemConverter('columns', columnBlock),
  updates: updatesBlocks,
  update: updateEntryBlocks,
  code: codeTagBlocks,
  prompt: promptBlocks,
  if: conditionBlocks,
  embed: embedTagBlocks,
  file: fileBlocks,
  'content-ref': contentRefBlocks,
  'page-ref': contentRefBlocks,
  include: includeBlocks,
  swagger: swaggerBlocks,
  'swagger-description': swaggerBlocks,
  'swagger-parameter': swaggerBlocks,
  'swagger-response': swaggerBlocks,
  openapi: openApiBlocks,
  'openapi-operation': openApiBlocks,
  'openapi-schemas': openApiBlocks,
  'openapi-webhook': openApiBlocks,
};

/** The blocks of a `{% %}` tag with its content. */
export function tagBlocks(tag: TagElement, context: Context, depth: number): BlockNode[] {
  const convert = Object.hasOwn(TAGS, tag.name) ? TAGS[tag.name] : undefined;
  if (convert) return convert(tag, context, depth);
  if (/^api-method(?:-|$)/.test(tag.name)) return apiMethodBlocks(tag, context, depth);
  return tag.name.startsWith('@') ? integrationBlocks(tag, context, depth) : unknownTagBlocks(tag, context, depth);
}

/** The content of a tag of another dialect; a tag without content is shown as written. */
function unknownTagBlocks(tag: TagElement, context: Context, depth: number): BlockNode[] {
  const inside = blocksOf(tag.children, context, depth);
  if (inside.length > 0) return inside;
  return [
    paragraph(context, [textNode(`{% ${`${tag.name} ${tag.args}`.trim()} %}`, [{ object: 'mark', type: 'code' }])]),
  ];
}

function hintBlocks(tag: TagElement, context: Context, depth: number): BlockNode[] {
  const { style = 'info', icon } = tag.attributes;
  const data: Data = { style: ['info', 'warning', 'danger', 'success'].includes(style) ? style : 'info' };
  if (icon) data.icon = icon;
  return [newBlock(context, 'hint', data, { nodes: blocksOrParagraph(tag.children, context, depth) })];
}

type Item = (tag: TagElement, context: Context, depth: number) => BlockNode;

/** A container of items; content between the items is put before it. */
function containerConverter(type: string, names: string[], item: Item): Convert {
  return (tag, context, depth) => {
    const isItem = (node: Node): node is TagElement => node.kind === 'tag-element' && names.includes(node.name);
    const loose = blocksOf(
      tag.children.filter((node) => !isItem(node)),
      context,
      depth,
    );
    const nodes = tag.children.filter(isItem).map((node) => item(node, context, depth + 1));
    if (nodes.length === 0) return loose;
    return [...loose, newBlock(context, type, containerData(type, tag.attributes), { nodes })];
  };
}

function containerData(type: string, { fullWidth }: Record<string, string>): Data {
  return fullWidth === 'true' && type !== 'stepper' ? { fullWidth: true } : {};
}

/** An item without its container. */
function loneItemConverter(type: string, item: Item): Convert {
  return (tag, context, depth) => [
    newBlock(context, type, containerData(type, {}), { nodes: [item(tag, context, depth)] }),
  ];
}

function tabBlock(tag: TagElement, context: Context, depth: number): BlockNode {
  const { title, icon } = tag.attributes;
  const data: Data = {};
  if (title !== undefined) data.title = title;
  if (icon) data.icon = icon;
  const nodes = blocksOrParagraph(tag.children, context, depth);
  return deferAnchor(context, newBlock(context, 'tabs-item', data, { nodes, identity: title }), title ?? 'tab');
}

function stepBlock(tag: TagElement, context: Context, depth: number): BlockNode {
  const { icon } = tag.attributes;
  return newBlock(context, 'stepper-step', icon ? { icon } : {}, {
    nodes: blocksOrParagraph(tag.children, context, depth),
  });
}

function columnBlock(tag: TagElement, context: Context, depth: number): BlockNode {
  const { width, valign, verticalAlignment = valign } = tag.attributes;
  const data: Data = {};
  const length = readLength(width);
  if (length !== undefined) data.width = length;
  if (['top', 'middle', 'bottom'].includes(verticalAlignment ?? '')) data.verticalAlignment = verticalAlignment;
  return newBlock(context, 'column', data, { nodes: blocksOrParagraph(tag.children, context, depth) });
}

/** A block of updates; for known clients, which have none, plain blocks one after another. */
function updatesBlocks(tag: TagElement, context: Context, depth: number): BlockNode[] {
  const inside = blocksOf(tag.children, context, depth);
  return context.allBlocks && inside.length > 0 ? [newBlock(context, 'updates', {}, { nodes: inside })] : inside;
}

/** A block with a date and tags; for known clients a line with these, then the content. */
function updateEntryBlocks(tag: TagElement, context: Context, depth: number): BlockNode[] {
  const { date = '', tags: written = '' } = tag.attributes;
  const tags = written
    .split(',')
    .map((entry) => ({ tag: entry.trim(), label: context.tags.get(entry.trim()) ?? entry.trim() }))
    .filter(({ label }) => label !== '');
  if (context.allBlocks) {
    const nodes = blocksOrParagraph(tag.children, context, depth);
    return [newBlock(context, 'update', { date, tags }, { nodes, identity: date })];
  }
  const rest = tags.map(({ label }) => label).join(' · ');
  const line = [
    ...(date === '' ? [] : [textNode(date, [{ object: 'mark', type: 'bold' }])]),
    ...(rest === '' ? [] : [textNode(date === '' ? rest : ` · ${rest}`)]),
  ];
  const content = blocksOf(tag.children, context, depth);
  return line.length === 0 ? content : [paragraph(context, line), ...content];
}

/** `{% code title="…" %}` around one fence or `<pre>`; other content stays as blocks around it. */
function codeTagBlocks(tag: TagElement, context: Context, depth: number): BlockNode[] {
  const at = tag.children.findIndex((node) => node.kind === 'code' || (node.kind === 'element' && node.name === 'pre'));
  const node = tag.children[at];
  const before = blocksOf(tag.children.slice(0, Math.max(at, 0)), context, depth);
  const made =
    node?.kind === 'code'
      ? codeBlock(context, node.value, node.info, tag.attributes)
      : node?.kind === 'element' && preBlock(context, node, tag.attributes);
  const after = blocksOf(tag.children.slice(at + 1), context, depth);
  return made ? [...before, made, ...after] : after;
}

/** A block with a description; for known clients the description, then the prompt itself. */
function promptBlocks(tag: TagElement, context: Context, depth: number): BlockNode[] {
  const { description = '' } = tag.attributes;
  const content = blocksOf(tag.children, context, depth);
  if (context.allBlocks)
    return [newBlock(context, 'prompt', promptData(tag.attributes), { nodes: content, identity: description })];
  return description === '' ? content : [paragraph(context, [textNode(description)]), ...content];
}

function promptData({ description, icon, defaultExpanded }: Record<string, string>): Data {
  return omitUndefined({ description: description || undefined, icon: icon || undefined, defaultExpanded });
}

function conditionBlocks(tag: TagElement, context: Context, depth: number): BlockNode[] {
  const nodes = blocksOrParagraph(tag.children, context, depth);
  return [newBlock(context, 'if', { expression: tag.args }, { nodes, identity: tag.args })];
}

function embedTagBlocks(tag: TagElement, context: Context, depth: number): BlockNode[] {
  const { url = '', fullWidth } = tag.attributes;
  const { fragments, rest } = splitCaption(tag, context, depth);
  const made = embedBlock(context, url, { fragments });
  if (fullWidth === 'true') made.data.fullWidth = true;
  return [made, ...rest];
}

function fileBlocks(tag: TagElement, context: Context, depth: number): BlockNode[] {
  const { src = '' } = tag.attributes;
  const { fragments, rest } = splitCaption(tag, context, depth);
  return [newBlock(context, 'file', { ref: refOfUrl(context, src, 'file') }, { fragments, identity: src }), ...rest];
}

/** Text between a tag and its end is the caption, else that in its attribute; content other than paragraphs follows the block. */
function splitCaption(tag: TagElement, context: Context, depth: number) {
  const paragraphs = tag.children.every((node) => node.kind === 'paragraph' || isBlank([node]));
  if (!paragraphs) return { fragments: [], rest: blocksOf(tag.children, context, depth) };
  const written = tag.children.filter((node) => !isBlank([node]));
  const given: Node[] = [{ kind: 'text', value: tag.attributes.caption ?? '' }];
  return {
    fragments: captionFragments(written.length > 0 ? written : given, context, depth),
    rest: [],
  };
}

function contentRefBlocks(tag: TagElement, context: Context, depth: number): BlockNode[] {
  const { url, page } = tag.attributes;
  const target = url ?? page ?? parseTagAttributes(tag.args).rest;
  const made = newBlock(
    context,
    'content-ref',
    { ref: refOfUrl(context, target, 'content-ref') },
    { identity: target },
  );
  return [made, ...blocksWithoutFallback(tag.children, context, depth)];
}

function includeBlocks(tag: TagElement, context: Context, depth: number): BlockNode[] {
  const path = parseTagAttributes(tag.args).rest || (tag.attributes.path ?? tag.attributes.url ?? '');
  const made = newBlock(context, 'reusable-content', { ref: refOfUrl(context, path, 'include') }, { identity: path });
  return [made, ...blocksOf(tag.children, context, depth)];
}

/** `{% @name/block prop="…" %}` */
function integrationBlocks(tag: TagElement, context: Context, depth: number): BlockNode[] {
  const slash = tag.name.indexOf('/');
  const name = tag.name.slice(1, slash < 0 ? undefined : slash);
  const { url, fullWidth, ...props } = tag.attributes;
  const data: Data = { integration: name, block: slash < 0 ? name : tag.name.slice(slash + 1), props };
  if (url !== undefined) Object.assign(data, { url, props: { ...props, url } });
  if (fullWidth === 'true') data.fullWidth = true;
  const made = newBlock(context, 'integration', data, { identity: `${tag.name} ${tag.args}` });
  return [made, ...blocksOf(tag.children, context, depth)];
}

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
function apiMethodBlocks(tag: TagElement, context: Context, depth: number): BlockNode[] {
  const { method = '', host = '', path = '', name = '', type = '', httpCode = '', in: place = '' } = tag.attributes;
  if (tag.name === 'api-method')
    return captionBlocks(tag, `${method.toUpperCase()} ${host}${path}`.trim(), 'api-method-summary', context, depth);
  if (tag.name === 'api-method-response-example')
    return captionBlocks(tag, httpCode, 'api-method-response-example-description', context, depth);
  if (tag.name === 'api-method-parameter') {
    const note = [type, place && `(${place})`].filter((part) => part !== '').join(' ');
    const line = name === '' && note === '' ? [] : [captionLine(context, name, note === '' ? [] : [textNode(note)])];
    return [...line, ...blocksOf(tag.children, context, depth)];
  }
  return blocksOf(
    tag.children.map((child) => withParameterPlace(child, places[tag.name])),
    context,
    depth,
  );
}

/** A parameter that knows where it is. */
function withParameterPlace(child: Node, place: string | undefined): Node {
  if (place === undefined || child.kind !== 'tag-element' || child.name !== 'api-method-parameter') return child;
  return { ...child, attributes: { in: place, ...child.attributes } };
}

/** A line of code with the text of an inner tag behind it, then the other blocks. */
function captionBlocks(tag: TagElement, code: string, note: string, context: Context, depth: number): BlockNode[] {
  const inner = tag.children.find((child): child is TagElement => child.kind === 'tag-element' && child.name === note);
  const said = inner?.children.filter((child) => !isBlank([child])) ?? [];
  const [first] = said;
  const isLine = said.length === 1 && first?.kind === 'paragraph';
  const line = isLine ? convertToInlines(parseRawInlines(first.text, context, depth), context, depth) : [];
  const rest = tag.children.filter((child) => !(isLine && child === inner));
  const caption = code === '' && line.length === 0 ? [] : [captionLine(context, code, line)];
  return [...caption, ...blocksOf(rest, context, depth)];
}

function captionLine(context: Context, code: string, note: DocumentNode[]): BlockNode {
  const start = textNode(code, [{ object: 'mark', type: 'code' }]);
  if (note.length > 0) start.leaves.push({ object: 'leaf', text: ' ', marks: [] });
  return paragraph(context, code === '' ? note : [start, ...note]);
}
