import { type CST, isMap, isScalar } from 'yaml';
import { locateParts, normalizeText } from '../source-parts.js';
import { isFields, readYaml } from '../yaml.js';
import { MAX_FRONT_MATTER } from './front-matter.js';

/** A key of the front matter with its value as read; of a key that is there twice the last one counts. */
export interface EntryText {
  key: string;
  /** From the key to the end of the value, as written. */
  text: string;
  value: unknown;
}

export interface FrontMatterEntry extends EntryText {
  /** Where the text stands in the source. */
  from: number;
  to: number;
}

/** The top-level keys in their order, none without front matter; undefined when it is not a block of YAML keys. */
export function frontMatterEntries(source: string): FrontMatterEntry[] | undefined {
  const { yaml } = locateParts(source);
  if (!yaml) return [];
  const written = source.slice(yaml.from, yaml.to);
  const text = normalizeText(written);
  if (text.length > MAX_FRONT_MATTER) return undefined;
  const { document, value } = readYaml(text, { keepSourceTokens: true });
  if (document?.contents === null) return [];
  if (!isMap(document?.contents) || document.contents.flow || !isFields(value)) return undefined;
  const places = sourcePositions(written);
  const entries: FrontMatterEntry[] = [];
  for (const { key, srcToken } of document.contents.items) {
    if (!isScalar(key) || !srcToken) return undefined;
    const from = yaml.from + (places[startOfItem(srcToken)] ?? 0);
    const to = yaml.from + (places[endOfItem(text, srcToken)] ?? 0);
    const name = key.value === null ? '' : String(key.value);
    entries.push({ key: name, text: source.slice(from, to), value: value[name], from, to });
  }
  return entries;
}

/** Where each character of the normalized text stands in the text as written, and where both end. */
function sourcePositions(written: string): number[] {
  const places: number[] = [];
  for (let at = 0; at < written.length; at++) {
    places.push(at);
    if (written[at] === '\r' && written[at + 1] === '\n') at++;
  }
  places.push(written.length);
  return places;
}

const isContentToken = ({ type }: CST.SourceToken) => type !== 'space' && type !== 'newline' && type !== 'comment';
const endOfSource = ({ offset, source }: CST.SourceToken) => offset + source.length;

function startOfItem({ start, key }: CST.CollectionItem): number {
  return (start.find(isContentToken) ?? key)?.offset ?? 0;
}

function endOfItem(text: string, { start, key, sep, value }: CST.CollectionItem): number {
  if (value) return endOfValue(text, value);
  const mark = sep?.findLast(isContentToken);
  if (mark) return endOfSource(mark);
  if (key) return endOfValue(text, key);
  const first = start.findLast(isContentToken);
  return first ? endOfSource(first) : 0;
}

/** Where the text of a value ends, before the comments and the line end that follow. */
function endOfValue(text: string, token: CST.Token): number {
  switch (token.type) {
    case 'block-map':
    case 'block-seq': {
      // Comments after the last item are an item of their own.
      const last = token.items.findLast(({ start, key, value }) => key || value || start.some(isContentToken));
      return last ? endOfItem(text, last) : token.offset;
    }
    case 'flow-collection': {
      const mark = token.end.find(isContentToken);
      return mark ? endOfSource(mark) : token.offset;
    }
    case 'block-scalar':
      return endOfBlockScalar(text, token);
    default:
      return 'source' in token ? token.offset + token.source.length : token.offset;
  }
}

function endOfBlockScalar(text: string, { offset, props, source }: CST.BlockScalar): number {
  let header = 0;
  for (const prop of props) if ('source' in prop) header += prop.source.length;
  let end = offset + header + source.length;
  const keepsLines = props.some((prop) => prop.type === 'block-scalar-header' && prop.source.includes('+'));
  if (text[end - 1] === '\n') end--;
  while (!keepsLines && text[end - 1] === '\n') end--;
  return end;
}
