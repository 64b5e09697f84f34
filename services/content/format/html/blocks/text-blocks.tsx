import { iconSvg } from '../../../../../shared/icons/icons.js';
import type { BlockNode, DocumentNode } from '../../document/document-model.js';
import { isBlankLine, renderInlines } from '../inlines/inlines.js';
import { marks } from '../marks.js';
import { childrenOf, lineOfText, readFields, textIn } from '../read-data.js';
import { type Child, claimId, classNames, type Rendering, renderDeeper, renderUnlisted } from '../rendering.js';

/** `align-center` and `align-end`; nothing for the start. */
export function alignClass(align: unknown): string | undefined {
  if (align === 'center') return 'align-center';
  return align === 'end' || align === 'right' ? 'align-end' : undefined;
}

export function renderParagraph(rendering: Rendering, node: BlockNode): Child {
  const nodes = childrenOf(node);
  if (isBlankLine(nodes)) return null;
  const buttons = nodes.some(isButton) && nodes.every((child) => isButton(child) || isBlankLine([child]));
  const align = alignClass(readFields(node.data).align);
  return <p class={classNames(buttons && 'buttons', align)}>{renderInlines(rendering, nodes)}</p>;
}

const isButton = (node: DocumentNode) => node.object === 'inline' && node.type === 'button';

const headingTags = { 1: 'h2', 2: 'h3', 3: 'h4' } as const;
const maxTitle = 500;

/** A heading with a link to itself beside it. */
export function renderHeading(rendering: Rendering, node: BlockNode, level: 1 | 2 | 3): Child {
  const nodes = childrenOf(node);
  const title = lineOfText(nodes, maxTitle);
  const id = claimId(rendering, node.meta?.id);
  if (rendering.outlined && id !== undefined && title !== '') rendering.outline.push({ id, title, level });
  const Tag = headingTags[level];
  const align = alignClass(readFields(node.data).align);
  return (
    <div class={classNames('heading', align)}>
      <Tag id={id}>{renderInlines(rendering, nodes)}</Tag>
      {id === undefined ? null : (
        // biome-ignore lint/a11y/useAnchorContent: its label is its name.
        <a class="anchor" href={`#${id}`} aria-label={marks.word('copyLink')} />
      )}
    </div>
  );
}

/** The blocks in a block, with their headings left out of the outline. */
export const renderInner = (rendering: Rendering, nodes: DocumentNode[]): Child[] =>
  renderDeeper<Child[]>(rendering, [], () => renderUnlisted(rendering, () => rendering.renderBlocks(rendering, nodes)));

/** The blocks in a block that only places them. */
export const renderPlaced = (rendering: Rendering, nodes: DocumentNode[]): Child[] =>
  renderDeeper<Child[]>(rendering, [], () => rendering.renderBlocks(rendering, nodes));

/** The blocks of a narrow place: a paragraph alone is a line of it. */
export function renderTight(rendering: Rendering, nodes: DocumentNode[]): Child {
  const [only] = nodes;
  if (nodes.length === 1 && only?.object === 'block' && only.type === 'paragraph') {
    const inside = childrenOf(only);
    if (alignClass(readFields(only.data).align) === undefined && !inside.some(isButton))
      return renderDeeper<Child[]>(rendering, [], () => renderInlines(rendering, inside));
  }
  return renderInner(rendering, nodes);
}

const hintStyles = ['info', 'success', 'warning', 'danger'] as const;
const hintIcons = {
  info: 'circle-info',
  success: 'circle-check',
  warning: 'triangle-exclamation',
  danger: 'circle-exclamation',
};

export function renderHint(rendering: Rendering, node: BlockNode): Child {
  const { style, icon } = readFields(node.data);
  const named = hintStyles.find((each) => each === style) ?? 'info';
  return (
    <aside class={`hint hint-${named}`} role="note" aria-label={marks.word(named)}>
      {iconSvg(textIn(icon), rendering.icons) ?? iconSvg(hintIcons[named], rendering.icons)}
      <div class="hint-body">{renderInner(rendering, childrenOf(node))}</div>
    </aside>
  );
}
