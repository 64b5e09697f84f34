import { iconSvg } from '../../../../../shared/icons/icons.js';
import type { BlockNode } from '../../document/document-model.js';
import { childrenOf, readFields, textIn } from '../read-data.js';
import { type Child, classNames, type Rendering, spendNode } from '../rendering.js';
import { renderPlaced } from './text-blocks.js';

export function renderStepper(rendering: Rendering, node: BlockNode): Child {
  const steps = childrenOf(node).filter((step) => step.object === 'block' && spendNode(rendering)) as BlockNode[];
  return (
    <ol class="steps">
      {steps.map((step) => {
        const icon = iconSvg(textIn(readFields(step.data).icon), rendering.icons);
        return (
          <li class={icon ? 'step with-icon' : 'step'}>
            {icon}
            {renderPlaced(rendering, childrenOf(step))}
          </li>
        );
      })}
    </ol>
  );
}

export function renderColumns(rendering: Rendering, node: BlockNode): Child {
  const columns = childrenOf(node).filter((column) => column.object === 'block' && spendNode(rendering)) as BlockNode[];
  const wide = readFields(node.data).fullWidth === true;
  const parts = partsOf(columns);
  return (
    <div class={classNames('columns', wide && 'wide')}>
      {columns.map((column, at) => {
        const { verticalAlignment } = readFields(column.data);
        const placed = verticalAlignment === 'middle' || verticalAlignment === 'bottom';
        return (
          <div class={classNames('column', `span-${parts[at]}`, placed && `place-${verticalAlignment}`)}>
            {renderPlaced(rendering, childrenOf(column))}
          </div>
        );
      })}
    </div>
  );
}

/** What writers see of a condition; readers see the content of those that hold, which is evaluated before. */
export function renderCondition(rendering: Rendering, node: BlockNode): Child {
  if (!rendering.asWritten) return null;
  return (
    <div class="condition">
      <code class="condition-head">{textIn(readFields(node.data).expression)}</code>
      <div class="condition-body">{renderPlaced(rendering, childrenOf(node))}</div>
    </div>
  );
}

const twelfths = 12;

/** The widths of columns in twelfths of the width of the text; those without a width share the rest. */
function partsOf(columns: BlockNode[]): number[] {
  const given = columns.map(({ data }) => {
    const { unit, value } = readFields(readFields(data).width);
    return unit === '%' && typeof value === 'number' && value > 0 ? (value * twelfths) / 100 : undefined;
  });
  const taken = given.reduce<number>((sum, part) => sum + (part ?? 0), 0);
  const rest = (twelfths - taken) / given.filter((part) => part === undefined).length;
  return given.map((part) => Math.min(Math.max(Math.round(part ?? rest), 1), twelfths));
}
