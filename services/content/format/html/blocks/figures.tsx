import type { BlockNode } from '../../document/document-model.js';
import { renderImage } from '../inlines/images.js';
import { childrenOf, fragmentNodes, readFields, textIn } from '../read-data.js';
import { type Child, classNames, type Rendering, spendNode } from '../rendering.js';
import { alignClass, renderTight } from './text-blocks.js';

export function renderImages(rendering: Rendering, node: BlockNode): Child {
  const { align, fullWidth, withFrame } = readFields(node.data);
  const images = childrenOf(node).filter((image) => image.object === 'block' && spendNode(rendering)) as BlockNode[];
  const names = classNames(
    align === 'left' || align === 'start' ? 'align-start' : alignClass(align),
    fullWidth === true && 'wide',
    withFrame === true && 'framed',
  );
  const figures = images.map((image) => renderFigure(rendering, image, images.length === 1 ? names : undefined));
  return figures.length === 1 ? figures : <div class={classNames('figures', names)}>{figures}</div>;
}

/** An image or a drawing, with its caption. */
export function renderFigure(rendering: Rendering, node: BlockNode, names?: string | undefined): Child {
  const { ref, refDark, width, height, alt } = readFields(node.data);
  return (
    <figure class={classNames('figure', names)}>
      {renderImage(rendering, { ref, refDark, width, height, alt: textIn(alt) })}
      {renderCaption(rendering, node)}
    </figure>
  );
}

export function renderCaption(rendering: Rendering, node: BlockNode): Child {
  const nodes = fragmentNodes(node, 'caption');
  return nodes.length === 0 ? null : <figcaption>{renderTight(rendering, nodes)}</figcaption>;
}
