import type { TagElement } from '../../markdown/nesting.js';
import { blocksOf, type Context, deferAnchor, newBlock, paragraph, refOfUrl } from '../context/context.js';
import { type BlockNode, type Data, textNode } from '../document-model.js';
import { blocksWithoutFallback } from './fallback-links.js';

/** `{% openapi src … %}` (a document) and `{% openapi-… spec … %}` (a specification of the organization by its slug). */
export function openApiBlocks(tag: TagElement, context: Context, depth: number): BlockNode[] {
  const { spec, src } = tag.attributes;
  const rest = blocksWithoutFallback(tag.children, context, depth);
  const name = tag.name === 'openapi' && spec !== undefined ? 'openapi-operation' : tag.name;
  if (name === 'openapi') return [documentOperationBlock(tag, context, src ?? ''), ...rest];
  const resolved = refOfUrl(context, spec ?? '', 'openapi');
  const ref = resolved.kind === 'openapi' ? resolved : { kind: 'openapi', spec: spec ?? '' };
  const data = { ref, ...referenceData(name, tag.attributes) };
  const made = newBlock(context, name, data, { identity: tag.args });
  if (name === 'openapi-schemas') return [made, ...rest];
  const title = tag.attributes.summary ?? operationLine(data);
  deferAnchor(context, made, title);
  operationTitles.set(made, title);
  return [made, ...rest];
}

/** The titles of operations and webhooks; their blocks name them by their pointers alone. */
const operationTitles = new WeakMap<BlockNode, string>();

/** The title of an operation or a webhook on its page: its summary, if its author repeats it. */
export const operationTitle = (node: BlockNode): string | undefined => operationTitles.get(node);

/** `GET /pets`, as a search finds it. */
export const operationLine = ({ method, path, name }: Data): string =>
  `${String(method).toUpperCase()} ${String(path ?? name)}`;

function referenceData(name: string, attributes: Record<string, string>): Data {
  const { path = '', method = '', schemas = '', grouped, name: webhook = '' } = attributes;
  if (name === 'openapi-webhook') return { name: webhook, method };
  if (name === 'openapi-operation') return { path, method };
  const list = schemas.split(',').map((entry) => entry.trim());
  return { schemas: list.filter((entry) => entry !== ''), grouped: grouped !== 'false' };
}

function documentOperationBlock(tag: TagElement, context: Context, src: string): BlockNode {
  const { path = '', method = '', expanded } = tag.attributes;
  const data: Data = { ref: refOfUrl(context, src, 'file'), path, method };
  if (expanded !== undefined) data.expanded = expanded === 'true';
  return newBlock(context, 'swagger', data, { identity: tag.args });
}

/** The old `{% swagger %}`: with `src` as above; otherwise it describes the operation itself, which becomes plain blocks. */
export function swaggerBlocks(tag: TagElement, context: Context, depth: number): BlockNode[] {
  const { src } = tag.attributes;
  const innerBlocks = () => blocksOf(tag.children, context, depth);
  if (src !== undefined)
    return [documentOperationBlock(tag, context, src), ...blocksWithoutFallback(tag.children, context, depth)];
  const [code, note] = swaggerCaption(tag);
  if (code === '' && note === '') return innerBlocks();
  const nodes = [textNode(code, [{ object: 'mark', type: 'code' }])];
  if (note !== '') nodes[0]?.leaves.push({ object: 'leaf', text: ` ${note}`, marks: [] });
  return [paragraph(context, nodes), ...innerBlocks()];
}

function swaggerCaption(tag: TagElement): [code: string, note: string] {
  const {
    method = '',
    baseUrl = '',
    path = '',
    summary = '',
    name = '',
    type = '',
    status = '',
    description = '',
  } = tag.attributes;
  const where = tag.attributes.in ?? '';
  if (tag.name === 'swagger') return [`${method.toUpperCase()} ${baseUrl}${path}`.trim(), summary];
  if (tag.name === 'swagger-parameter')
    return [name, [type, where && `(${where})`].filter((part) => part !== '').join(' ')];
  return tag.name === 'swagger-response' ? [status, description] : ['', ''];
}
