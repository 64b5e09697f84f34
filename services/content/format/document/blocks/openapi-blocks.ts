import type { TagElement } from '../../markdown/nesting.js';
import { anchorLater, block, blocksOf, type Context, paragraph, refOf } from '../context/context.js';
import { type BlockNode, type Data, text } from '../document-model.js';
import { withoutFallback } from './fallback-links.js';

/** `{% openapi src … %}` (a document) and `{% openapi-… spec … %}` (a specification of the organization by its slug). */
export function openApiBlocks(tag: TagElement, context: Context, depth: number): BlockNode[] {
  const { spec, src } = tag.attributes;
  const rest = withoutFallback(tag.children, context, depth);
  const name = tag.name === 'openapi' && spec !== undefined ? 'openapi-operation' : tag.name;
  if (name === 'openapi') return [documentOperation(tag, context, src ?? ''), ...rest];
  const resolved = refOf(context, spec ?? '', 'openapi');
  const ref = resolved.kind === 'openapi' ? resolved : { kind: 'openapi', spec: spec ?? '' };
  const data = { ref, ...pointer(name, tag.attributes) };
  const made = block(context, name, data, { identity: tag.args });
  if (name === 'openapi-schemas') return [made, ...rest];
  const title = tag.attributes.summary ?? operationLine(data);
  anchorLater(context, made, title);
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

function pointer(name: string, attributes: Record<string, string>): Data {
  const { path = '', method = '', schemas = '', grouped, name: webhook = '' } = attributes;
  if (name === 'openapi-webhook') return { name: webhook, method };
  if (name === 'openapi-operation') return { path, method };
  const list = schemas.split(',').map((entry) => entry.trim());
  return { schemas: list.filter((entry) => entry !== ''), grouped: grouped !== 'false' };
}

function documentOperation(tag: TagElement, context: Context, src: string): BlockNode {
  const { path = '', method = '', expanded } = tag.attributes;
  const data: Data = { ref: refOf(context, src, 'file'), path, method };
  if (expanded !== undefined) data.expanded = expanded === 'true';
  return block(context, 'swagger', data, { identity: tag.args });
}

/** The old `{% swagger %}`: with `src` as above; otherwise it describes the operation itself, which becomes plain blocks. */
export function swaggerBlocks(tag: TagElement, context: Context, depth: number): BlockNode[] {
  const { src } = tag.attributes;
  const inside = () => blocksOf(tag.children, context, depth);
  if (src !== undefined)
    return [documentOperation(tag, context, src), ...withoutFallback(tag.children, context, depth)];
  const [code, note] = caption(tag);
  if (code === '' && note === '') return inside();
  const nodes = [text(code, [{ object: 'mark', type: 'code' }])];
  if (note !== '') nodes[0]?.leaves.push({ object: 'leaf', text: ` ${note}`, marks: [] });
  return [paragraph(context, nodes), ...inside()];
}

function caption(tag: TagElement): [code: string, note: string] {
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
