/** A piece of the source of a page: text that is translated, with marks in place of what is not, or anything else as it is. */
export type TextPiece = { fixed: string } | MarkedText;

export interface MarkedText {
  /** With `⟦0⟧`, `⟦1⟧`… in place of code, addresses, tags and expressions. */
  marked: string;
  /** The source of each mark. */
  marks: string[];
  /** It is the value of an attribute, which quotes would end. */
  isAttribute: boolean;
}

const start = String.raw`(?:^|(?<=\n))`;
const blockTags =
  'table|thead|tbody|tr|td|th|details|summary|p|div|figure|figcaption|h[1-6]|ul|ol|li|picture|source|img|br|hr|a';

/** Parts of a source that are not text, and where one text ends and another begins. */
const fixedParts = [
  // Code between fences, math, tags, comments.
  String.raw`${start}[ \t>]*(?<fence>\`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:\n[ \t>]*\k<fence>[\`~]*[ \t]*(?=\n|$)|$)`,
  String.raw`\$\$[\s\S]*?\$\$`,
  String.raw`\{%[\s\S]*?%\}`,
  String.raw`<!--[\s\S]*?-->`,
  String.raw`</?(?:${blockTags})(?=[\s/>])[^>]*>`,
  // Definitions of links, rules, underlines, and the second row of tables.
  String.raw`${start}[ \t]{0,3}\[(?!\^)[^\]\n]+\]:[^\n]*`,
  String.raw`${start}[ \t>]*(?:[-*_][ \t]*){3,}(?=\n|$)`,
  String.raw`${start}[ \t>]*[=-]+[ \t]*(?=\n|$)`,
  String.raw`${start}[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t:-]*)+(?=\n|$)`,
  // Blank lines, and what lines of lists, headings, footnotes and quotes begin with.
  String.raw`\n(?:[ \t>]*\n)+[ \t>]*`,
  String.raw`(?:^|\n)[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?|#{1,6}[ \t]+|\[\^[^\]\n]+\]:[ \t]*)+`,
  String.raw`(?:^|\n)[ \t]*>[ \t>]*`,
];
const FIXED = new RegExp(fixedParts.join('|'), 'gi');
const FIXED_IN_TABLE = new RegExp([...fixedParts, String.raw`(?<!\\)\||\n`].join('|'), 'gi');
const TABLE = /^[ \t>]*\|?[ \t]*:?-+:?[ \t]*\|/m;

const MARKS = new RegExp(
  [
    String.raw`(?<ticks>\`+)(?!\`)[\s\S]*?[^\`]\k<ticks>(?!\`)`,
    String.raw`\{\{[\s\S]*?\}\}`,
    String.raw`\]\((?:[^()\n\\]|\\.|\([^()\n]*\))*\)`,
    String.raw`\]\[[^\]\n]*\]`,
    String.raw`\[\^[^\]\n]+\]`,
    String.raw`!\[`,
    String.raw`<[^>\s][^>]*>`,
    String.raw`https?://[^\s<>)\]]+`,
    ':[a-z0-9_+-]{1,50}:',
    '&[#a-z0-9]{1,30};',
    String.raw`\\.`,
  ].join('|'),
  'gi',
);
const LETTER = /\p{L}/u;

/** Splits a source, or a part of one, into pieces, which make it up in their order. */
export function splitTranslatable(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let at = 0;
  for (const found of text.matchAll(TABLE.test(text) ? FIXED_IN_TABLE : FIXED)) {
    if (found[0] === '') continue;
    addText(text.slice(at, found.index), pieces);
    addTag(found[0], pieces);
    at = found.index + found[0].length;
  }
  addText(text.slice(at), pieces);
  return pieces;
}

const TITLE = /^(\{%[\s\S]*?\stitle=")([^"\n]+)("[\s\S]*)$/;

/** Adds a part that is not text; of a tag with a title, the title is. */
function addTag(text: string, pieces: TextPiece[]): void {
  const [, before, title, after] = TITLE.exec(text) ?? [];
  if (before === undefined || title === undefined || after === undefined) pieces.push({ fixed: text });
  else pieces.push({ fixed: before }, ...markedOrFixed(title, true), { fixed: after });
}

function addText(text: string, pieces: TextPiece[]): void {
  const inner = text.trim();
  const from = text.indexOf(inner);
  if (from > 0) pieces.push({ fixed: text.slice(0, from) });
  if (inner !== '') pieces.push(...markedOrFixed(inner, false));
  const rest = text.slice(from + inner.length);
  if (rest !== '') pieces.push({ fixed: rest });
}

function markedOrFixed(text: string, isAttribute: boolean): TextPiece[] {
  const marks: string[] = [];
  const marked = text.replace(MARKS, (mark) => `⟦${marks.push(mark) - 1}⟧`);
  const isText = LETTER.test(marked) && !/[⟦⟧]/.test(text);
  return [isText ? { marked, marks, isAttribute } : { fixed: text }];
}

/** A translated text with its marks filled; undefined where it does not have each of them once. */
export function fillMarks({ marks, isAttribute }: MarkedText, translated: string): string | undefined {
  const found = [...translated.matchAll(/⟦(\d{1,4})⟧/g)].map(([, number]) => Number(number));
  const isWhole = found.length === marks.length && new Set(found).size === found.length;
  // Tags and expressions are marks.
  if (/\{[{%]|[%}]\}/.test(translated)) return undefined;
  if (!isWhole || found.some((number) => number >= marks.length)) return undefined;
  const words = isAttribute ? translated.replace(/["\n{}%]/g, ' ') : translated;
  const filled = words.replace(/⟦(\d{1,4})⟧/g, (_, number) => marks[Number(number)] as string);
  return /[⟦⟧]/.test(filled) ? undefined : filled.trim();
}
