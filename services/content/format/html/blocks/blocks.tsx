import type { BlockNode, DocumentNode } from '../../document/document-model.js';
import { renderCode } from '../code/code-block.js';
import { renderInlines } from '../inlines/inlines.js';
import { renderMath } from '../math/math.js';
import { childrenOf, readFields, readItems, textIn } from '../read-data.js';
import { type Child, noteUnknown, type Rendering, spendNode } from '../rendering.js';
import { renderTable } from '../tables/grids.js';
import { renderFigure, renderImages } from './figures.js';
import { leaveEmbed, leaveIntegration, leaveOpenApi } from './late-blocks.js';
import { renderColumns, renderCondition, renderStepper } from './layout-blocks.js';
import { renderContentRef, renderFile } from './link-cards.js';
import { renderList } from './lists.js';
import { renderReusable } from './reusable.js';
import { renderExpandable, renderTabs } from './tabs.js';
import { renderHeading, renderHint, renderInner, renderParagraph, renderPlaced } from './text-blocks.js';
import { renderPrompt, renderUpdate, renderUpdates } from './updates.js';

/** The nodes of a place for blocks; inlines among them become a paragraph. */
export function renderBlocks(rendering: Rendering, nodes: DocumentNode[]): Child[] {
  const out: Child[] = [];
  for (let at = 0; at < nodes.length; at++) {
    const node = nodes[at] as DocumentNode;
    if (!spendNode(rendering)) break;
    if (node.object === 'block') {
      out.push(renderBlock(rendering, node));
      continue;
    }
    const from = at;
    while (at + 1 < nodes.length && nodes[at + 1]?.object !== 'block') at++;
    out.push(<p>{renderInlines(rendering, nodes.slice(from, at + 1))}</p>);
  }
  return out;
}

type RenderBlock = (rendering: Rendering, node: BlockNode) => Child;

const renderers: Record<string, RenderBlock> = {
  paragraph: renderParagraph,
  'heading-1': (rendering, node) => renderHeading(rendering, node, 1),
  'heading-2': (rendering, node) => renderHeading(rendering, node, 2),
  'heading-3': (rendering, node) => renderHeading(rendering, node, 3),
  'list-unordered': renderList,
  'list-ordered': renderList,
  'list-tasks': renderList,
  blockquote: (rendering, node) => <blockquote>{renderInner(rendering, childrenOf(node))}</blockquote>,
  divider: () => <hr />,
  code: renderCode,
  hint: renderHint,
  images: renderImages,
  image: renderFigure,
  drawing: renderFigure,
  table: renderTable,
  tabs: renderTabs,
  stepper: renderStepper,
  columns: renderColumns,
  expandable: renderExpandable,
  math: (rendering, node) => (
    <div class="math" tabindex={0}>
      {renderMath(rendering, textIn(readFields(node.data).formula), true)}
    </div>
  ),
  file: renderFile,
  embed: leaveEmbed,
  'content-ref': renderContentRef,
  'reusable-content': renderReusable,
  integration: leaveIntegration,
  swagger: leaveOpenApi,
  'openapi-operation': leaveOpenApi,
  'openapi-schemas': leaveOpenApi,
  'openapi-webhook': leaveOpenApi,
  updates: renderUpdates,
  update: renderUpdate,
  prompt: renderPrompt,
  if: renderCondition,
};

function renderBlock(rendering: Rendering, node: BlockNode): Child {
  const render = Object.hasOwn(renderers, node.type) ? renderers[node.type] : undefined;
  if (render) return render(rendering, node);
  noteUnknown(rendering, node.type);
  const inside = [...childrenOf(node), ...readItems(node.fragments).flatMap((part) => childrenOf(readFields(part)))];
  return renderPlaced(rendering, inside);
}
