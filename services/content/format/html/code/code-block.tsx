import type { BlockNode, DocumentNode } from '../../document/document-model.js';
import { renderDiagram } from '../diagrams/diagram.js';
import { isDiagram } from '../diagrams/drawing.js';
import { wrapInLink } from '../inlines/inlines.js';
import { renderAnnotation } from '../inlines/notes.js';
import { linkTargetOf } from '../links.js';
import { marks } from '../marks.js';
import { childrenOf, readFields, readItems, textIn } from '../read-data.js';
import { type Child, classNames, newName, type Rendering, renderDeeper, spendNode } from '../rendering.js';
import { highlight, type Token } from './highlight.js';
import { languageOf } from './languages.js';

/** Lines of expandable code that are visible at first. */
const visibleLines = 10;
/** Characters of code that a document may have highlighted. */
export const maxHighlightedCode = 500_000;

export function renderCode(rendering: Rendering, node: BlockNode): Child {
  const data = readFields(node.data);
  const lines = childrenOf(node).filter((line) => line.object === 'block' && spendNode(rendering)) as BlockNode[];
  const code = lines.map((line) => codeText(childrenOf(line))).join('\n');
  const syntax = textIn(data.syntax);
  if (isDiagram(syntax)) {
    const diagram = renderDiagram(rendering, code);
    if (diagram) return codeFigure(rendering, node, diagram, { code, lines: [], kind: 'diagram' });
  }
  const affordable = code.length <= rendering.codeBudget;
  if (affordable && languageOf(syntax) !== undefined) rendering.codeBudget -= code.length;
  const tokens = newTokenReader(highlight(code, affordable ? syntax : ''));
  const made = lines.map((line) => {
    const content = renderLineNodes(rendering, childrenOf(line), tokens);
    tokens(1);
    return readFields(line.data).highlighted === true ? (
      <mark class="line">{[content, '\n']}</mark>
    ) : (
      <span class="line">{[content, '\n']}</span>
    );
  });
  return codeFigure(rendering, node, undefined, { code, lines: made, kind: 'code' });
}

interface Shown {
  code: string;
  lines: Child[];
  kind: string;
}

function codeFigure(rendering: Rendering, node: BlockNode, drawing: Child, { code, lines, kind }: Shown): Child {
  const { syntax, title, overflow, lineNumbers, fullWidth, expandable } = readFields(node.data);
  const isLong = expandable === true && lines.length > visibleLines;
  const collapsed = isLong && !rendering.asWritten ? newName(rendering, 'code') : undefined;
  const names = classNames(
    kind,
    overflow === 'wrap' && 'wrap',
    lineNumbers === true && 'numbered',
    fullWidth === true && 'wide',
    isLong && 'collapsible',
  );
  const language = textIn(syntax).slice(0, 40);
  return (
    <figure class={names} data-language={language || undefined}>
      {textIn(title) === '' ? null : <figcaption>{textIn(title)}</figcaption>}
      {collapsed === undefined ? null : <input type="checkbox" class="code-toggle" id={collapsed} />}
      {drawing ?? (
        <pre tabindex={0}>
          <code>{lines}</code>
        </pre>
      )}
      {collapsed === undefined ? null : (
        <label class="code-more" for={collapsed}>
          <span class="more">{marks.word('showMore')}</span>
          <span class="less">{marks.word('showLess')}</span>
        </label>
      )}
      {drawing == null ? null : (
        <details class="diagram-source">
          <summary>{marks.word('code')}</summary>
          <pre tabindex={0}>
            <code>{code}</code>
          </pre>
        </details>
      )}
    </figure>
  );
}

/** The text of a line; deep nodes do not nest calls. */
function codeText(nodes: DocumentNode[]): string {
  let out = '';
  const open = nodes.toReversed();
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.object === 'text') for (const leaf of readItems(node.leaves)) out += textIn(readFields(leaf).text);
    else for (const child of childrenOf(node).toReversed()) open.push(child);
  }
  return out;
}

/** Takes the next characters of tokens. */
type TokenReader = (length: number) => Child[];

function newTokenReader(tokens: Token[]): TokenReader {
  let [at, from] = [0, 0];
  return (length) => {
    const out: Child[] = [];
    for (let left = length; left > 0 && at < tokens.length; ) {
      const { text, kind } = tokens[at] as Token;
      const part = text.slice(from, from + left);
      out.push(kind === '' ? part : <span class={`hl-${kind}`}>{part}</span>);
      left -= part.length;
      from += part.length;
      if (from >= text.length) [at, from] = [at + 1, 0];
    }
    return out;
  };
}

/** The content of a line: highlighted text, with its links and annotations around parts of it. */
function renderLineNodes(rendering: Rendering, nodes: DocumentNode[], tokens: TokenReader): Child[] {
  return nodes.map((node) => {
    if (node.object === 'text') return tokens(codeText([node]).length);
    const before = rendering.inLink;
    rendering.inLink ||= node.type === 'link';
    const inside = renderDeeper<Child[]>(rendering, [], () => renderLineNodes(rendering, childrenOf(node), tokens));
    rendering.inLink = before;
    if (node.object !== 'inline') return inside;
    if (node.type === 'annotation') return renderAnnotation(rendering, node, inside);
    return node.type === 'link' && !before
      ? wrapInLink(linkTargetOf(rendering, readFields(node.data).ref), inside)
      : inside;
  });
}
