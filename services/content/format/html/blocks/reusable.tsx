import type { BlockNode } from '../../document/document-model.js';
import { wrapInLink } from '../inlines/inlines.js';
import { linkTargetOf } from '../links.js';
import { childrenOf, readFields, textIn } from '../read-data.js';
import type { Child, Rendering } from '../rendering.js';
import { renderPlaced } from './text-blocks.js';

/** The blocks of reusable content in its place; nothing where it contains itself. */
export function renderReusable(rendering: Rendering, node: BlockNode): Child {
  const ref = readFields(readFields(node.data).ref);
  const id = textIn(ref.reusableContent);
  const document = rendering.surroundings.reusable.get(id);
  if (document === undefined) return renderMissing(rendering, ref);
  if (rendering.open.has(id)) return null;
  rendering.open.add(id);
  const made = renderPlaced(rendering, childrenOf(document));
  rendering.open.delete(id);
  return made;
}

/** Content of another space is where it is; a missing one is said to be missing. */
function renderMissing(rendering: Rendering, ref: Record<string, unknown>): Child {
  const target = ref.kind === 'reusable-content' ? ({ kind: 'broken' } as const) : linkTargetOf(rendering, ref);
  const path = textIn(ref.url);
  return <p>{wrapInLink(target.kind === 'none' ? { kind: 'broken' } : target, path === '' ? '…' : path)}</p>;
}
