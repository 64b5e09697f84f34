import { type DefaultTreeAdapterMap, parseFragment } from 'parse5';

export interface HtmlTag {
  name: string;
  closing: boolean;
  /** Names in lower case, values decoded. */
  attributes: Record<string, string>;
  source: string;
}

export type HtmlToken = { kind: 'tag'; tag: HtmlTag } | { kind: 'text'; text: string };

const entities = new Map<string, string>();
const ENTITY = /&(?:#[xX][0-9a-fA-F]{1,6}|#[0-9]{1,7}|[A-Za-z][A-Za-z0-9]{0,31});/g;

/** Character references with a semicolon, which CommonMark and HTML both decode. */
export function decodeEntities(text: string): string {
  return text.includes('&') ? text.replace(ENTITY, decodeEntity) : text;
}

function decodeEntity(entity: string): string {
  const known = entities.get(entity);
  if (known !== undefined) return known;
  const node: DefaultTreeAdapterMap['childNode'] | undefined = parseFragment(entity).childNodes[0];
  const value = node && 'value' in node ? node.value : '';
  // HTML decodes `&notit;` to `¬it;`; CommonMark decodes complete names only.
  const decoded = value.endsWith(';') && entity !== '&semi;' ? entity : value || '\uFFFD';
  if (entities.size < 5_000) entities.set(entity, decoded);
  return decoded;
}

const ESCAPE = /\\([!-/:-@[-`{-~])/g;

/** Resolves backslash escapes and character references. */
export function unescapeText(text: string): string {
  if (!text.includes('\\')) return decodeEntities(text);
  // An escaped `&` must not start a reference, so text is decoded between escapes only.
  let out = '';
  let from = 0;
  for (const match of text.matchAll(ESCAPE)) {
    out += decodeEntities(text.slice(from, match.index)) + match[1];
    from = match.index + 2;
  }
  return out + decodeEntities(text.slice(from));
}

const TAG_NAME = /[A-Za-z][A-Za-z0-9-]*/y;
const ATTRIBUTE_NAME = /[A-Za-z_:][\w:.-]*/y;
const BARE_VALUE = /[^\s"'=<>`]+/y;

/** The end of the open or closing tag that starts with the `<` at `from`, by CommonMark's grammar; -1 for anything else. */
export function endOfHtmlTag(text: string, from: number, onAttribute?: (name: string, value: string) => void): number {
  const closing = text[from + 1] === '/';
  TAG_NAME.lastIndex = from + (closing ? 2 : 1);
  if (!TAG_NAME.test(text)) return -1;
  let at = TAG_NAME.lastIndex;
  for (;;) {
    const spaced = skipSpace(text, at);
    if (text[spaced] === '>') return spaced + 1;
    if (closing) return -1;
    if (text[spaced] === '/') return text[spaced + 1] === '>' ? spaced + 2 : -1;
    ATTRIBUTE_NAME.lastIndex = spaced;
    if (spaced === at || !ATTRIBUTE_NAME.test(text)) return -1;
    at = ATTRIBUTE_NAME.lastIndex;
    const name = text.slice(spaced, at);
    const equals = skipSpace(text, at);
    if (text[equals] !== '=') {
      onAttribute?.(name, '');
      continue;
    }
    const value = readAttributeValue(text, skipSpace(text, equals + 1));
    if (!value) return -1;
    onAttribute?.(name, value.value);
    at = value.end;
  }
}

function readAttributeValue(text: string, at: number): { value: string; end: number } | undefined {
  const quote = text[at];
  if (quote === '"' || quote === "'") {
    const end = text.indexOf(quote, at + 1);
    return end < 0 ? undefined : { value: text.slice(at + 1, end), end: end + 1 };
  }
  BARE_VALUE.lastIndex = at;
  return BARE_VALUE.test(text) ? { value: text.slice(at, BARE_VALUE.lastIndex), end: BARE_VALUE.lastIndex } : undefined;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= 32) at++;
  return at;
}

/** Reads a tag whose bounds `endOfHtmlTag` confirmed; undefined when there is none at `from`. */
export function readHtmlTag(text: string, from: number): { tag: HtmlTag; end: number } | undefined {
  const attributes: Record<string, string> = Object.create(null);
  const end = endOfHtmlTag(text, from, (name, value) => {
    attributes[name.toLowerCase()] ??= decodeEntities(value);
  });
  if (end < 0) return undefined;
  const closing = text[from + 1] === '/';
  TAG_NAME.lastIndex = from + (closing ? 2 : 1);
  const name = (TAG_NAME.exec(text)?.[0] ?? '').toLowerCase();
  return { tag: { name, closing, attributes, source: text.slice(from, end) }, end };
}

const INVISIBLE = new Set(['script', 'style', 'template']);

/** Splits HTML into tags and decoded text. Comments, scripts and styles are dropped; anything else that is not a tag is text. */
export function tokenizeHtml(html: string): HtmlToken[] {
  const tokens: HtmlToken[] = [];
  let from = 0;
  const addText = (to: number) => {
    if (to > from) tokens.push({ kind: 'text', text: decodeEntities(html.slice(from, to)) });
  };
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at)) {
    const special = html[at + 1] === '!' || html[at + 1] === '?' ? endOfDeclaration(html, at) : -1;
    const read = special < 0 ? readHtmlTag(html, at) : undefined;
    if (special < 0 && !read) {
      at++;
      continue;
    }
    addText(at);
    if (read) tokens.push({ kind: 'tag', tag: read.tag });
    at = Math.min(read?.end ?? special, html.length);
    if (read && !read.tag.closing && INVISIBLE.has(read.tag.name)) at = startOfClosingTag(html, at, read.tag.name);
    from = at;
  }
  addText(html.length);
  return tokens;
}

/** The index of `</name`, or the end of the text. */
function startOfClosingTag(html: string, from: number, name: string): number {
  const closing = new RegExp(`</${name}[\\s>]`, 'gi');
  closing.lastIndex = from;
  return closing.exec(html)?.index ?? html.length;
}

/** The end of the comment, processing instruction, CDATA section or declaration at `at`; -1 for none, Infinity without an end. */
export function endOfDeclaration(html: string, at: number): number {
  const [open, close] = DECLARATIONS.find(([start]) => html.startsWith(start, at)) ?? ['<!', '>'];
  if (open === '<!' && !/[A-Za-z]/.test(html[at + 2] ?? '')) return -1;
  if (open === '<!--' && html.startsWith('>', at + 4)) return at + 5;
  if (open === '<!--' && html.startsWith('->', at + 4)) return at + 6;
  const end = html.indexOf(close, at + open.length);
  return end < 0 ? Number.POSITIVE_INFINITY : end + close.length;
}

const DECLARATIONS = [
  ['<!--', '-->'],
  ['<?', '?>'],
  ['<![CDATA[', ']]>'],
] as const;
