import { isDeepStrictEqual } from 'node:util';
import { stringify } from 'yaml';
import { type Replacement, withReplacements } from '../../../../../shared/text/replacements.js';
import { locateParts } from '../source-parts.js';
import { type EntryText, type FrontMatterEntry, frontMatterEntries } from './front-matter-entries.js';

/** Values that front matter keys are to have; null removes a key. */
export type FrontMatterEdits = Record<string, string | number | boolean | null>;

/**
 * The source with these front matter keys set or removed and no other byte changed. Undefined when its front matter is not a
 * block of YAML keys that can be edited.
 */
export function editFrontMatter(source: string, edits: FrontMatterEdits): string | undefined {
  const entries = frontMatterEntries(source);
  if (!entries) return undefined;
  const changed: Edits = new Map();
  for (const [key, value] of Object.entries(edits)) {
    const present = entries.find((entry) => entry.key === key);
    if (value === null) {
      if (present) changed.set(key, undefined);
    } else if (!present || !isDeepStrictEqual(present.value, value)) {
      changed.set(key, { key, text: yamlEntryText(key, value), value });
    }
  }
  return editEntries(source, entries, changed);
}

/** The same with the texts of whole entries; undefined also when an entry would not be read with its value there. */
export function replaceEntries(source: string, edits: Edits): string | undefined {
  const entries = frontMatterEntries(source);
  return entries && editEntries(source, entries, edits);
}

/** Entries that front matter keys are to have; undefined removes a key. */
type Edits = Map<string, EntryText | undefined>;

function editEntries(source: string, before: FrontMatterEntry[], edits: Edits): string | undefined {
  if (edits.size === 0) return source;
  const made = applyEdits(source, before, edits);
  const after = frontMatterEntries(made);
  return after && isEditedAsAsked(before, after, edits) ? made : undefined;
}

// Line separators end the front matter's lines when they are written as they are.
const INVISIBLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\uFEFF]/u;

const yamlStyleOf = (text: unknown) => (INVISIBLE.test(String(text)) ? 'QUOTE_DOUBLE' : 'PLAIN');

function yamlEntryText(key: string, value: string | number | boolean): string {
  const line = stringify(new Map([[key, value]]), {
    lineWidth: 0,
    blockQuote: false,
    doubleQuotedAsJSON: true,
    // Quotes what older YAML reads as something else: yes, 1:30, 2024-01-31.
    compat: 'yaml-1.1',
    defaultKeyType: yamlStyleOf(key),
    defaultStringType: yamlStyleOf(value),
  });
  return line
    .replace(/\n$/, '')
    .replace(/[\x7f-\x9f\u2028\u2029\uFEFF]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function applyEdits(source: string, before: FrontMatterEntry[], edits: Edits): string {
  const lasts = new Map(before.map((entry) => [entry.key, entry]));
  const changes: Replacement[] = [];
  for (const entry of before) {
    const edit = edits.get(entry.key);
    if (edit && entry === lasts.get(entry.key)) changes.push({ from: entry.from, to: entry.to, text: edit.text });
    else if (!edit && edits.has(entry.key)) changes.push({ ...linesOfEntry(source, entry), text: '' });
  }
  const indent = before[0] ? source.slice(startOfIndent(source, before[0].from), before[0].from) : '';
  const added = [...edits.values()].filter((edit) => edit && !lasts.has(edit.key));
  if (added.length > 0) changes.push(entriesToAppend(source, added.map((edit) => `${indent}${edit?.text}\n`).join('')));
  return applyReplacements(source, changes);
}

/** The lines of an entry that is removed, with the comment after its value. */
function linesOfEntry(source: string, { from, to }: FrontMatterEntry): { from: number; to: number } {
  const rest = /[^\r\n]*(?:\r\n?|\n|$)/y;
  rest.lastIndex = to;
  return { from: startOfIndent(source, from), to: to + (rest.exec(source)?.[0].length ?? 0) };
}

function startOfIndent(source: string, at: number): number {
  let start = at;
  while (source[start - 1] === ' ') start--;
  return start;
}

/** Lines at the end of the front matter. */
function entriesToAppend(source: string, lines: string): Replacement {
  const { yaml, body } = locateParts(source);
  if (!yaml) return { from: body, to: body, text: `---\n${lines}---\n\n` };
  const isLineStart = /[\r\n]/.test(source[yaml.to - 1] ?? '');
  return { from: yaml.to, to: yaml.to, text: isLineStart ? lines : `\n${lines}` };
}

/** New lines end as those of the source. */
function applyReplacements(source: string, changes: Replacement[]): string {
  const lineEnd = /\r\n?|\n/.exec(source)?.[0] ?? '\n';
  const ended = changes.map(({ text, ...place }) => ({ ...place, text: text.replace(/\r\n?|\n/g, lineEnd) }));
  return withReplacements(source, ended);
}

function isEditedAsAsked(before: FrontMatterEntry[], after: FrontMatterEntry[], edits: Edits): boolean {
  const otherEntries = (entries: FrontMatterEntry[]) => {
    const kept = entries.filter(({ key }) => !edits.has(key));
    return { texts: kept.map(({ text }) => text), values: new Map(kept.map(({ key, value }) => [key, value])) };
  };
  if (!isDeepStrictEqual(otherEntries(before), otherEntries(after))) return false;
  return [...edits].every(([key, edit]) => {
    const found = after.find((entry) => entry.key === key);
    return edit ? found !== undefined && isDeepStrictEqual(found.value, edit.value) : !found;
  });
}
