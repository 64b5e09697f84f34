import { unescapeText } from './html.js';
import type { Tag } from './syntax.js';

/** Tags with content up to their `{% end… %}`; left open, up to the end of their container. */
export const CONTAINER_TAGS = new Set([
  'hint',
  'tabs',
  'tab',
  'stepper',
  'step',
  'columns',
  'column',
  'code',
  'updates',
  'update',
  'prompt',
  'swagger',
  'swagger-description',
  'swagger-parameter',
  'swagger-response',
  'code-tabs',
  'code-tabs-item',
  'api-method',
  'api-method-summary',
  'api-method-description',
  'api-method-spec',
  'api-method-request',
  'api-method-path-parameters',
  'api-method-query-parameters',
  'api-method-headers',
  'api-method-body-parameters',
  'api-method-form-data-parameters',
  'api-method-cookies',
  'api-method-parameter',
  'api-method-response',
  'api-method-response-example',
  'api-method-response-example-description',
]);

// `if` is among them: without an end it must not hide the rest of the page.
const OTHER_TAGS = [
  'if',
  'embed',
  'file',
  'content-ref',
  'page-ref',
  'include',
  'openapi',
  'openapi-operation',
  'openapi-schemas',
  'openapi-webhook',
];
const KNOWN_TAGS = new Set([...CONTAINER_TAGS, ...OTHER_TAGS]);

const NAME = /[A-Za-z@][\w@/.-]*/y;

/** Reads the tag that starts with the `{%` at `from`; undefined when it is not a tag or does not end in `text`. */
export function readTag(text: string, from: number): { tag: Tag; end: number } | undefined {
  let at = from + 2;
  while (text[at] === ' ' || text[at] === '\t' || text[at] === '\n') at++;
  NAME.lastIndex = at;
  const word = NAME.exec(text)?.[0];
  if (word === undefined) return undefined;
  const close = endOfTag(text, at + word.length);
  if (close < 0) return undefined;
  const closing = word.length > 3 && word.startsWith('end');
  const args = text.slice(at + word.length, close).trim();
  const source = text.slice(from, close + 2);
  return { tag: { name: closing ? word.slice(3) : word, closing, args, source }, end: close + 2 };
}

/** The index of the `%}` that ends a tag: the first outside quotes (with an open quote, the first). -1 if a `{%` comes first. */
function endOfTag(text: string, from: number): number {
  const first = text.indexOf('%}', from);
  if (first < 0) return -1;
  for (let at = from; at < text.length; at++) {
    const char = text[at];
    if (char === '%' && text[at + 1] === '}') return at;
    if (char === '{' && text[at + 1] === '%') return -1;
    if (char !== '"') continue;
    at = endOfQuoted(text, at);
    if (at < 0) return first;
  }
  return first;
}

function endOfQuoted(text: string, from: number): number {
  const quote = text[from] ?? '"';
  let at = from + 1;
  while (at < text.length && text[at] !== quote) at += text[at] === '\\' ? 2 : 1;
  return at < text.length ? at : -1;
}

/** Splits known tags off the end of a line of text: `some text {% endtab %}`. */
export function splitTrailingTags(line: string): { text: string; tags: Tag[] } {
  const tags: Tag[] = [];
  let text = line.trimEnd();
  while (text.endsWith('%}')) {
    const from = text.lastIndexOf('{%');
    const read = from < 0 ? undefined : readTag(text, from);
    if (!read || read.end !== text.length || !KNOWN_TAGS.has(read.tag.name) || isInsideCode(text, from)) break;
    tags.unshift(read.tag);
    text = text.slice(0, from).trimEnd();
  }
  return { text: tags.length > 0 ? text : line, tags };
}

function isInsideCode(text: string, at: number): boolean {
  let ticks = 0;
  for (let i = text.indexOf('`'); i >= 0 && i < at; i = text.indexOf('`', i + 1)) ticks++;
  return ticks % 2 === 1;
}

const ATTRIBUTE_NAME = /[A-Za-z_@:][\w:.-]*/y;

/** `title="a" overflow=wrap expandable` -> a record; a bare name is "true". `rest` is the text that is not an attribute. */
export function parseTagAttributes(args: string): { attributes: Record<string, string>; rest: string } {
  const attributes: Record<string, string> = {};
  const rest: string[] = [];
  let at = 0;
  while (at < args.length) {
    if (/\s/.test(args[at] ?? '')) {
      at++;
      continue;
    }
    ATTRIBUTE_NAME.lastIndex = at;
    const name = ATTRIBUTE_NAME.exec(args)?.[0];
    const value = name === undefined ? undefined : readAttributeValue(args, at + name.length);
    if (name !== undefined && value && name !== '__proto__') {
      attributes[name] = value.value;
      at = value.end;
    } else {
      const word = readQuotedOrWord(args, at);
      rest.push(word.value);
      at = word.end;
    }
  }
  return { attributes, rest: rest.join(' ') };
}

function readAttributeValue(args: string, at: number): { value: string; end: number } | undefined {
  if (at >= args.length || /\s/.test(args[at] ?? '')) return { value: 'true', end: at };
  return args[at] === '=' ? readQuotedOrWord(args, at + 1) : undefined;
}

function readQuotedOrWord(args: string, at: number): { value: string; end: number } {
  const quote = args[at];
  if (quote === '"' || quote === "'") {
    const end = endOfQuoted(args, at);
    if (end >= 0) return { value: unescapeText(args.slice(at + 1, end)), end: end + 1 };
  }
  let end = at + 1;
  while (end < args.length && !/\s/.test(args[end] ?? '')) end++;
  return { value: args.slice(at, end), end };
}
