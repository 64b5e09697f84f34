import type { BlockNode, DocumentNode } from '../../document/document-model.js';
import { renderInlines } from '../inlines/inlines.js';
import { marks } from '../marks.js';
import { childrenOf, readFields, readWhole } from '../read-data.js';
import { type Child, type Rendering, renderDeeper, spendNode } from '../rendering.js';
import { alignClass, renderInner } from './text-blocks.js';

export function renderList(rendering: Rendering, node: BlockNode): Child {
  const items = childrenOf(node).filter((item) => item.object === 'block' && spendNode(rendering)) as BlockNode[];
  if (node.type === 'list-tasks') return <ul class="tasks">{items.map((item) => renderTask(rendering, item))}</ul>;
  const shown = items.map((item) => <li>{renderItem(rendering, item)}</li>);
  if (node.type === 'list-unordered') return <ul>{shown}</ul>;
  const start = readWhole(readFields(node.data).start, -1e6, 1e9);
  return <ol start={start === 1 ? undefined : start}>{shown}</ol>;
}

function renderTask(rendering: Rendering, item: BlockNode): Child {
  const { checked } = readFields(item.data);
  const content = renderItem(rendering, item);
  if (typeof checked !== 'boolean') return <li>{content}</li>;
  return (
    <li class="task">
      <input type="checkbox" disabled checked={checked} aria-label={marks.word(checked ? 'checked' : 'unchecked')} />
      <div>{content}</div>
    </li>
  );
}

/** The first paragraph of an item is a line of it where only lists follow. */
function renderItem(rendering: Rendering, item: BlockNode): Child {
  const [first, ...rest] = childrenOf(item);
  if (
    first?.object !== 'block' ||
    first.type !== 'paragraph' ||
    alignClass(readFields(first.data).align) ||
    !rest.every(isList)
  )
    return renderInner(rendering, childrenOf(item));
  return renderDeeper<Child[]>(rendering, [], () => [
    renderInlines(rendering, childrenOf(first)),
    renderInner(rendering, rest),
  ]);
}

const isList = (node: DocumentNode) => node.object === 'block' && node.type.startsWith('list-');
