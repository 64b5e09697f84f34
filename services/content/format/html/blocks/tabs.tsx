import { iconSvg } from '../../../../../shared/icons/icons.js';
import type { BlockNode } from '../../document/document-model.js';
import { childrenOf, fragmentNodes, readFields, textIn } from '../read-data.js';
import { type Child, claimId, classNames, newName, type Rendering, spendNode } from '../rendering.js';
import { renderInner, renderTight } from './text-blocks.js';

/** Panels with radio buttons, which switch them without a script. No button is checked at first: the first panel then shows, or the one that the address names. */
export function renderTabs(rendering: Rendering, node: BlockNode): Child {
  const items = childrenOf(node).filter((item) => item.object === 'block' && spendNode(rendering)) as BlockNode[];
  if (items.length === 0) return null;
  const group = newName(rendering, 'tabs');
  const wide = readFields(node.data).fullWidth === true;
  return (
    <div class={classNames('tabs', wide && 'wide')}>
      {items.map((item, at) => {
        const { title, icon } = readFields(item.data);
        const choice = `${group}:${at + 1}`;
        return [
          <input type="radio" class="tab-input" name={group} id={choice} />,
          <label class="tab-label" for={choice}>
            {iconSvg(textIn(icon), rendering.icons)}
            {textIn(title).trim() === '' ? String(at + 1) : textIn(title)}
          </label>,
          <div class="tab-panel" id={claimId(rendering, item.meta?.id)}>
            {renderInner(rendering, childrenOf(item))}
          </div>,
        ];
      })}
    </div>
  );
}

export function renderExpandable(rendering: Rendering, node: BlockNode): Child {
  const id = claimId(rendering, node.meta?.id);
  return (
    <details class="expandable" id={id} open={readFields(node.data).defaultExpanded === true}>
      <summary>
        <span>{renderTight(rendering, fragmentNodes(node, 'expandable-title'))}</span>
      </summary>
      <div class="expandable-body">{renderInner(rendering, fragmentNodes(node, 'expandable-body'))}</div>
    </details>
  );
}
