import { iconSvg } from '../../../../../shared/icons/icons.js';
import type { DocumentNode, InlineNode } from '../../document/document-model.js';
import { emojiCharacter } from '../../markdown/emoji.js';
import { linkTargetOf, type ResolvedLink } from '../links.js';
import { marks } from '../marks.js';
import { renderMath } from '../math/math.js';
import { childrenOf, type Fields, lineOfText, textIn } from '../read-data.js';
import { type Child, noteUnknown, type Rendering, renderDeeper, spendNode } from '../rendering.js';
import { renderInlineImage } from './images.js';
import { renderText } from './leaves.js';
import { renderAnnotation } from './notes.js';

export function renderInlines(rendering: Rendering, nodes: DocumentNode[]): Child[] {
  const out: Child[] = [];
  for (const node of nodes) {
    if (!spendNode(rendering)) break;
    if (node.object === 'text') out.push(renderText(node));
    else if (node.object === 'inline') out.push(renderInline(rendering, node));
    else out.push(renderDeeper<Child[]>(rendering, [], () => renderInlines(rendering, childrenOf(node))));
  }
  return out;
}

/** Whether inlines show nothing. */
export const isBlankLine = (nodes: DocumentNode[]): boolean =>
  nodes.every((node) => node.object === 'text') && lineOfText(nodes, 1) === '';

function renderInline(rendering: Rendering, node: InlineNode): Child {
  const data = node.data ?? {};
  switch (node.type) {
    case 'link':
      return renderLink(rendering, node, data);
    case 'annotation':
      return renderAnnotation(rendering, node, renderInside(rendering, node));
    case 'button':
      return renderButton(rendering, data);
    case 'icon':
      return iconSvg(textIn(data.icon), rendering.icons);
    case 'emoji':
      return emojiCharacter(textIn(data.code));
    case 'inline-image':
      return renderInlineImage(rendering, data);
    case 'inline-math':
      return renderMath(rendering, textIn(data.formula), false);
    case 'mention':
      return renderMention(rendering, data);
    case 'expression':
      return textIn(data.expression) === '' ? null : <code>{textIn(data.expression)}</code>;
    default:
      noteUnknown(rendering, node.type);
      return renderInside(rendering, node);
  }
}

const renderInside = (rendering: Rendering, node: InlineNode): Child[] =>
  renderDeeper<Child[]>(rendering, [], () => renderInlines(rendering, childrenOf(node)));

function renderLink(rendering: Rendering, node: InlineNode, data: Fields): Child {
  const outer = rendering.inLink;
  rendering.inLink = true;
  const inside = renderInside(rendering, node);
  rendering.inLink = outer;
  return outer ? inside : wrapInLink(linkTargetOf(rendering, data.ref), inside);
}

/** Content that leads to a target; where it leads nowhere, the content alone. */
export function wrapInLink(target: ResolvedLink, inside: Child, className?: string): Child {
  if (target.kind === 'none') return className === undefined ? inside : <span class={className}>{inside}</span>;
  if (target.kind === 'broken')
    return (
      <span class={className === undefined ? 'broken' : `${className} broken`} title={marks.word('brokenLink')}>
        {inside}
      </span>
    );
  if (target.kind === 'url' && target.external)
    return (
      <a class={className === undefined ? 'external' : `${className} external`} href={target.href} rel="noopener">
        {inside}
      </a>
    );
  return (
    <a class={className} href={target.href}>
      {inside}
    </a>
  );
}

function renderButton(rendering: Rendering, data: Fields): Child {
  const icon = iconSvg(textIn(data.icon), rendering.icons);
  const query = textIn(data.query);
  const label = textIn(data.label) || query;
  const kind = data.kind === 'secondary' ? 'button button-secondary' : 'button button-primary';
  const inside = [icon, label === '' && data.action !== undefined ? marks.word('search') : label];
  if (rendering.inLink) return <span class={kind}>{inside}</span>;
  if (data.action === 'search' || data.action === 'ask')
    return (
      <a class={kind} href={marks.search(query)} data-action={data.action} data-query={query}>
        {inside}
      </a>
    );
  return wrapInLink(linkTargetOf(rendering, data.ref), inside, kind);
}

function renderMention(rendering: Rendering, data: Fields): Child {
  const target = linkTargetOf(rendering, data.ref);
  const inside = titleOfTarget(rendering, target);
  return rendering.inLink ? inside : wrapInLink(target, inside, 'mention');
}

/** What a target is called, with its icon. */
export function titleOfTarget(rendering: Rendering, target: ResolvedLink): Child {
  switch (target.kind) {
    case 'page': {
      const { title, emoji, icon } = target.page;
      const sign = emoji === undefined ? iconSvg(textIn(icon), rendering.icons) : `${emojiCharacter(textIn(emoji))} `;
      return [sign, textIn(title)];
    }
    case 'file':
      return textIn(target.file.name);
    case 'outside':
      return target.title;
    case 'url':
      return target.href.replace(/^(?:https?:\/\/|mailto:|tel:)/i, '');
    case 'here':
      return target.href;
    default:
      return marks.word('brokenLink');
  }
}
