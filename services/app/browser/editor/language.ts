import {
  defineLanguageFacet,
  HighlightStyle,
  Language,
  languageDataProp,
  syntaxHighlighting,
} from '@codemirror/language';
import { type Extension, RangeSetBuilder, type Text } from '@codemirror/state';
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { type Input, Parser, type PartialParse, type TreeFragment } from '@lezer/common';
import { highlightTree, tags } from '@lezer/highlight';
import {
  type BlockContext,
  type Element,
  GFM,
  type InlineContext,
  type Line,
  type MarkdownConfig,
  parser,
} from '@lezer/markdown';
import { endOfFrontMatter, maxFrontMatter } from '../../sources/front-matter.js';

const headOf = (input: Input): string =>
  input.read(0, 4).replace('\uFEFF', '').startsWith('---') ? input.read(0, Math.min(input.length, maxFrontMatter)) : '';

type Maker = Pick<BlockContext, 'elt'>;

/** The parts of a tag: its marks, its name, and its arguments. */
function tagParts(cx: Maker, text: string, at: number): Element[] {
  const parts = [cx.elt('TagMark', at, at + 2)];
  const name = /^\{%[ \t]*([A-Za-z@][\w@/.-]*)/.exec(text);
  if (name) {
    const end = at + name[0].length;
    parts.push(cx.elt('TagName', end - (name[1] as string).length, end));
    for (const { index, 1: key = '', 2: value } of text.matchAll(/[ \t]([\w-]+)(?:=("(?:[^"\\]|\\.)*"|[^\s"%]+))?/g)) {
      const from = at + index + 1;
      if (from < end) continue;
      parts.push(cx.elt('TagArgument', from, from + key.length));
      if (value) parts.push(cx.elt('TagValue', from + key.length + 1, from + key.length + 1 + value.length));
    }
  }
  parts.push(cx.elt('TagMark', at + text.length - 2, at + text.length));
  return parts;
}

const oneTag = /\{%(?:[^"%{]|"(?:[^"\\]|\\.)*"|%(?!\})|\{(?!%))*%\}/;
const onlyTags = new RegExp(`^(?:${oneTag.source}[ \\t]*)+$`);
const tagsOf = new RegExp(oneTag.source, 'g');

const dialect: MarkdownConfig = {
  defineNodes: [
    { name: 'FrontMatter', block: true, style: tags.string },
    { name: 'FrontMatterMark', style: tags.processingInstruction },
    { name: 'FrontMatterKey', style: tags.propertyName },
    { name: 'FrontMatterComment', style: tags.comment },
    { name: 'TagLine', block: true },
    { name: 'Tag' },
    { name: 'TagMark', style: tags.processingInstruction },
    { name: 'TagName', style: tags.tagName },
    { name: 'TagArgument', style: tags.attributeName },
    { name: 'TagValue', style: tags.attributeValue },
    { name: 'Formula', style: tags.special(tags.string) },
  ],
  parseBlock: [
    {
      name: 'FrontMatter',
      before: 'HorizontalRule',
      parse(cx, line) {
        if (cx.lineStart !== 0 || !/^\uFEFF?---[ \t]*$/.test(line.text)) return false;
        // The context has it, though its types do not say so.
        const end = endOfFrontMatter(headOf((cx as unknown as { input: Input }).input));
        if (end === undefined) return false;
        const parts = [cx.elt('FrontMatterMark', 0, line.text.length)];
        while (cx.nextLine() && cx.lineStart < end) parts.push(...frontMatterParts(cx, line));
        parts.push(cx.elt('FrontMatterMark', cx.lineStart, cx.lineStart + line.text.length));
        cx.addElement(cx.elt('FrontMatter', 0, cx.lineStart + line.text.length, parts));
        cx.nextLine();
        return true;
      },
    },
    {
      name: 'TagLine',
      before: 'LinkReference',
      parse(cx, line) {
        const text = line.text.slice(line.pos);
        if (!onlyTags.test(text)) return false;
        const at = cx.lineStart + line.pos;
        const parts = [...text.matchAll(tagsOf)].map(({ index, 0: tag }) =>
          cx.elt('Tag', at + index, at + index + tag.length, tagParts(cx, tag, at + index)),
        );
        cx.addElement(cx.elt('TagLine', at, at + text.trimEnd().length, parts));
        cx.nextLine();
        return true;
      },
      endLeaf: (_, line) => onlyTags.test(line.text.slice(line.pos)),
    },
  ],
  parseInline: [
    {
      name: 'Tag',
      before: 'Emphasis',
      parse(cx: InlineContext, next, at) {
        if (next !== 123 || cx.char(at + 1) !== 37) return -1;
        const found = oneTag.exec(cx.slice(at, cx.end));
        if (found?.index !== 0) return -1;
        const tag = found[0];
        return cx.addElement(cx.elt('Tag', at, at + tag.length, tagParts(cx, tag, at)));
      },
    },
    {
      name: 'Formula',
      before: 'Emphasis',
      parse(cx: InlineContext, next, at) {
        if (next !== 36 || cx.char(at + 1) !== 36) return -1;
        const end = cx.slice(at + 2, cx.end).indexOf('$$');
        return end < 0 ? -1 : cx.addElement(cx.elt('Formula', at, at + end + 4));
      },
    },
  ],
};

function frontMatterParts(cx: BlockContext, { text }: Line): Element[] {
  const at = cx.lineStart;
  const comment = /(?:^|[ \t])#.*$/.exec(text);
  const key = /^[ \t]*(?:- )?([\w."'-]+):(?=[ \t]|$)/.exec(text);
  const parts: Element[] = [];
  if (key) {
    const end = at + key[0].length - 1;
    parts.push(cx.elt('FrontMatterKey', end - (key[1] as string).length, end));
  }
  if (comment && !/["']/.test(text)) parts.push(cx.elt('FrontMatterComment', at + comment.index, at + text.length));
  return parts;
}

const data = defineLanguageFacet({ commentTokens: { block: { open: '<!--', close: '-->' } } });
const markdown = parser.configure([GFM, dialect, { props: [languageDataProp.add({ Document: data })] }]);

/** Reads a page anew where its front matter began or ended somewhere else before: the lines in it are not what they were. */
class PageParser extends Parser {
  createParse(
    input: Input,
    fragments: readonly TreeFragment[],
    ranges: readonly { from: number; to: number }[],
  ): PartialParse {
    const [first] = fragments;
    const known = first?.from === 0 ? first.tree.topNode.firstChild : null;
    const had = known?.name === 'FrontMatter';
    const has = endOfFrontMatter(headOf(input)) !== undefined;
    return markdown.createParse(input, had === has ? fragments : [], ranges);
  }
}

const style = HighlightStyle.define([
  { tag: tags.heading, class: 'tok-heading' },
  { tag: tags.strong, class: 'tok-strong' },
  { tag: tags.emphasis, class: 'tok-emphasis' },
  { tag: tags.strikethrough, class: 'tok-deleted' },
  { tag: [tags.link, tags.url], class: 'tok-link' },
  { tag: tags.monospace, class: 'tok-code' },
  { tag: tags.quote, class: 'tok-quote' },
  { tag: [tags.processingInstruction, tags.contentSeparator], class: 'tok-mark' },
  { tag: [tags.tagName, tags.angleBracket, tags.labelName], class: 'tok-tag' },
  { tag: [tags.attributeName, tags.propertyName], class: 'tok-name' },
  { tag: [tags.attributeValue, tags.string], class: 'tok-string' },
  { tag: tags.special(tags.string), class: 'tok-formula' },
  { tag: tags.comment, class: 'tok-comment' },
]);

/** Characters from which on only what is in sight is read: to go over the blocks of a long text takes too long for a key. */
const longText = 400_000;
/** Characters above the text in sight among which a blank line is looked for, to begin there. */
const maxAbove = 8_000;

/** Highlights the lines in sight, read from a blank line above them. */
const sightHighlighting = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = decorate(view);
    }
    update(update: ViewUpdate): void {
      if (update.docChanged || update.viewportChanged) this.decorations = decorate(update.view);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

function decorate({ state, viewport: { from, to } }: EditorView): DecorationSet {
  const above = state.sliceDoc(Math.max(0, from - maxAbove), from);
  const blank = above.search(/\n[ \t]*\n(?!\s)/);
  const start = from <= maxAbove ? 0 : from - above.length + Math.max(0, blank + 1);
  const builder = new RangeSetBuilder<Decoration>();
  highlightTree(markdown.parse(state.sliceDoc(start, to)), style, (tokenFrom, tokenTo, classes) => {
    if (start + tokenTo > from) builder.add(start + tokenFrom, start + tokenTo, Decoration.mark({ class: classes }));
  });
  return builder.finish();
}

/** Markdown with front matter and the tags of pages, highlighted. */
export const pageLanguage = ({ length }: Text): Extension =>
  length > longText ? sightHighlighting : [new Language(data, new PageParser(), [], 'page'), syntaxHighlighting(style)];
