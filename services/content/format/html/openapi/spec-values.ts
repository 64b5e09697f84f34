/** An object of a specification; nothing in it is checked. */
export type SpecObject = Record<string, unknown>;

export const isSpecObject = (value: unknown): value is SpecObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Characters of a name, an address or a value on a line. */
const maxLineLength = 500;

const CONTROL = /(?![\t\n\v\f\r])\p{Cc}/u;
const CONTROLS = /(?![\t\n\v\f\r])\p{Cc}/gu;

/** A text of at most so many characters, without the characters that marks are made of; empty for anything else. */
export function specText(value: unknown, maxLength = maxLineLength): string {
  if (typeof value !== 'string') return '';
  const text = value.length > maxLength ? `${value.slice(0, maxLength).toWellFormed()}…` : value.toWellFormed();
  return CONTROL.test(text) ? text.replace(CONTROLS, '') : text;
}

/** A value as JSON on one line; empty for what is none. */
export function specValue(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return specText(value) || '""';
  if (typeof value !== 'object' || value === null) return String(value);
  return specText(writeJson(value, { maxCharacters: maxLineLength, indent: '' }));
}

/** The first items of a list. */
export const specList = (value: unknown, max: number): unknown[] => (Array.isArray(value) ? value.slice(0, max) : []);

/** The first entries of an object, in their order. */
export function specEntries(value: unknown, max: number): [name: string, value: unknown][] {
  const found: [string, unknown][] = [];
  if (!isSpecObject(value)) return found;
  for (const name in value) {
    if (found.length === max) break;
    if (Object.hasOwn(value, name)) found.push([name, value[name]]);
  }
  return found;
}

export const ownValue = (value: unknown, name: string): unknown =>
  isSpecObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

interface JsonForm {
  maxCharacters: number;
  /** The indent of a level; empty for one line. */
  indent: string;
}

/** Writes a value as JSON, up to a number of characters and 50 levels; `…` stands for the rest. */
export function writeJson(value: unknown, { maxCharacters, indent }: JsonForm): string {
  const parts: string[] = [];
  let left = maxCharacters;
  const put = (text: string) => {
    left -= text.length;
    parts.push(text);
  };
  const putEach = (open: string, entries: [string | undefined, unknown][], close: string, depth: number) => {
    const line = indent === '' ? '' : `\n${indent.repeat(depth + 1)}`;
    put(open);
    for (const [at, [name, item]] of entries.entries()) {
      put(at === 0 ? line : indent === '' ? ', ' : `,${line}`);
      if (left <= 0) {
        put('…');
        break;
      }
      if (name !== undefined) put(`${quote(name)}: `);
      putValue(item, depth + 1);
    }
    put(`${entries.length === 0 || indent === '' ? '' : `\n${indent.repeat(depth)}`}${close}`);
  };
  const quote = (text: string) => JSON.stringify(specText(text, Math.max(left, maxLineLength)));
  const putValue = (item: unknown, depth: number): void => {
    if (typeof item === 'string') put(quote(item));
    else if (typeof item !== 'object' || item === null) put(String(item ?? null));
    else if (depth >= maxJsonLevels) put('…');
    else if (Array.isArray(item)) {
      const items = item.slice(0, left + 1).map((inner): [undefined, unknown] => [undefined, inner]);
      putEach('[', items, ']', depth);
    } else putEach('{', specEntries(item, left + 1), '}', depth);
  };
  putValue(value, 0);
  return parts.join('');
}

const maxJsonLevels = 50;
