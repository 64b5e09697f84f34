import { type ComponentChild, Fragment, h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { escapeHtml } from '../../../../../shared/text/escaped-html.js';
import { readBody } from '../../document/document.js';
import type { AnyNode, BlockNode, Data, InlineNode, TextNode } from '../../document/document-model.js';
import { inlinePlainText } from '../../document/plain-text.js';
import { marks } from '../marks.js';
import { specText } from './spec-values.js';
import { safeLink } from './web-addresses.js';

const PLAIN = /^[^\\`*_{}[\]<>#|~&%$:!@"'\n]*$/;
const LIST_OR_SPACE = /^\s|^(?:[-+=]|\d+[.)])|www\./;

/** The mark of an alert of GitHub, which is a quote for everybody else. */
const ALERT = /^[ \t]{0,3}>[ \t]{0,3}\[!(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*(?:\n|$)/gim;

/**
 * Renders a text in Markdown of somebody else's system, such as a description in a specification, as HTML: without images, ids, tags
 * and marks for the reader. Links lead to other sites only.
 */
export function markdownHtml(source: string): string {
  const text = specText(source, source.length).trim().replace(ALERT, '');
  if (text === '') return '';
  if (PLAIN.test(text) && !LIST_OR_SPACE.test(text)) return `<p>${escapeHtml(text)}</p>`;
  const { nodes } = readBody(text, () => undefined, { keyed: false, keepLead: () => true });
  return renderToString(h(Fragment, null, renderNodes(nodes, 0)));
}

const maxDepth = 30;

const renderNodes = (nodes: AnyNode[] | undefined, depth: number): ComponentChild[] =>
  depth > maxDepth ? [] : (nodes ?? []).map((node) => renderNode(node, depth + 1));

function renderNode(node: AnyNode, depth: number): ComponentChild {
  if (node.object === 'text') return renderLeaves(node);
  if (node.object === 'inline') return renderInline(node, depth);
  if (node.object === 'fragment') return renderNodes(node.nodes, depth);
  return renderBlock(node, depth);
}

function renderLeaves({ leaves }: TextNode): ComponentChild[] {
  return leaves.map(({ text, marks }) => {
    const lines = text.split('\n');
    let shown: ComponentChild =
      lines.length === 1 ? text : lines.flatMap((line, at) => (at === 0 ? [line] : [<br />, line]));
    for (const { type } of marks) shown = markedText(type, shown);
    return shown;
  });
}

function markedText(type: string, shown: ComponentChild): ComponentChild {
  switch (type) {
    case 'bold':
      return <strong>{shown}</strong>;
    case 'italic':
      return <em>{shown}</em>;
    case 'code':
      return <code>{shown}</code>;
    case 'keyboard':
      return <kbd>{shown}</kbd>;
    case 'strikethrough':
      return <s>{shown}</s>;
    case 'superscript':
      return <sup>{shown}</sup>;
    case 'subscript':
      return <sub>{shown}</sub>;
    default:
      return shown;
  }
}

function renderInline(node: InlineNode, depth: number): ComponentChild {
  const shown = node.nodes ? renderNodes(node.nodes, depth) : inlinePlainText([node]);
  const { ref, label } = node.data;
  if (node.type !== 'link' && node.type !== 'button') return shown;
  const href = safeLink((ref as Data | undefined)?.url);
  const text = typeof label === 'string' ? label : shown;
  return href === undefined ? (
    text
  ) : (
    <a href={href} rel="noopener nofollow" class="external">
      {text}
    </a>
  );
}

function renderBlock(node: BlockNode, depth: number): ComponentChild {
  const children = () => renderNodes(node.nodes, depth);
  switch (node.type) {
    case 'paragraph':
      return <p>{children()}</p>;
    case 'heading-1':
    case 'heading-2':
    case 'heading-3':
      return (
        <p class="text-heading">
          <strong>{children()}</strong>
        </p>
      );
    case 'list-unordered':
    case 'list-tasks':
      return <ul>{children()}</ul>;
    case 'list-ordered':
      return <ol start={startOf(node.data)}>{children()}</ol>;
    case 'list-item':
      return <li>{renderItem(node, depth)}</li>;
    case 'blockquote':
      return <blockquote>{children()}</blockquote>;
    case 'divider':
      return <hr />;
    case 'code':
      return (
        <pre tabindex={0}>
          <code>{codeText(node)}</code>
        </pre>
      );
    case 'math':
      return (
        <p>
          <code>{String(node.data.formula ?? '')}</code>
        </p>
      );
    case 'table':
      return renderTable(node, depth);
    default:
      return [...renderNodes(node.nodes, depth), ...renderNodes(node.fragments, depth)];
  }
}

const startOf = ({ start }: Data) => (typeof start === 'number' && start !== 1 ? start : undefined);

/** A single paragraph stands in an item without its element: such lists are tight. */
function renderItem({ nodes, data }: BlockNode, depth: number): ComponentChild {
  const [only, ...more] = nodes ?? [];
  const isTight =
    only?.object === 'block' &&
    only.type === 'paragraph' &&
    more.every((node) => 'type' in node && node.type.startsWith('list-'));
  const box = typeof data.checked === 'boolean' ? (data.checked ? '☑ ' : '☐ ') : '';
  return [
    box,
    isTight ? renderNodes(only.nodes, depth) : renderNode(only ?? { object: 'text', leaves: [] }, depth),
    renderNodes(more, depth),
  ];
}

const codeText = ({ nodes }: BlockNode) =>
  (nodes ?? []).map((line) => (line.object === 'block' ? inlinePlainText(line.nodes ?? []) : '')).join('\n');

interface TextTable {
  view: { columns?: string[]; hideHeader?: boolean };
  definition: Record<string, { title: string }>;
  records: Record<string, { orderIndex: string; values: Record<string, unknown> }>;
}

function renderTable({ data, fragments }: BlockNode, depth: number): ComponentChild {
  const { view, definition, records } = data as unknown as TextTable;
  const columns = (view.columns ?? Object.keys(definition)).slice(0, 50);
  const cells = new Map((fragments ?? []).map((fragment) => [fragment.fragment, fragment]));
  const rows = Object.values(records).sort((a, b) => (a.orderIndex < b.orderIndex ? -1 : 1));
  const renderCell = (value: unknown) => {
    const cell = cells.get(String(value));
    if (!cell) return typeof value === 'object' ? '' : String(value ?? '');
    const [only] = cell.nodes;
    const isPlain = cell.nodes.length === 1 && only?.type === 'paragraph';
    return renderNodes(isPlain ? only.nodes : cell.nodes, depth + 1);
  };
  return (
    <section class="table-wrap" tabindex={0} aria-label={marks.word('table')}>
      <table>
        {view.hideHeader ? null : (
          <thead>
            <tr>
              {columns.map((id) => (
                <th scope="col">{definition[id]?.title}</th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {rows.map(({ values }) => (
            <tr>
              {columns.map((id) => (
                <td>{renderCell(values[id])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
