import { hintStyleOfIcon, isOneEmoji } from '../callouts.js';
import { type HintStyle, hintStyleOf } from '../hint-styles.js';
import { CodeFences } from './code-fences.js';

export interface Dialect {
  /** MDX: imports, exports and components stand among the text. */
  mdx?: boolean | undefined;
  /** Whether Notion exported the page: its callouts are `<aside>`s. */
  notion?: boolean | undefined;
}

const maxDepth = 20;
/** Characters of a line that may begin or end something. */
const maxLine = 1000;
const colons = /^(\s*):{3,}\s*([a-z]+)\s*(?:\[(.*)\]|([^{[].*))?\s*(?:\{.*\})?\s*$/i;
const asideEnd = /^\s*<\/aside>\s*$/;
const colonsEnd = /^\s*:{3,}\s*$/;
const indented = /^(\s*)(!!!|\?\?\?\+?)\s+([a-z]+)(?:\s+"(.*)")?\s*$/i;
/** Begins a block of MDX code, which ends with an empty line. */
const moduleLine =
  /^(?:import\s+(?:[\w*{][^'"]{0,500}\sfrom\s+)?['"][^'"]+['"]|export\s+(?:const|let|default|function|class)\b)/;
const commentLine = /^\s*\{\/\*.*\*\/\}\s*$/;
const headingId = /^(#{1,6}\s.*?)\s*\{(?:\/\*\s*)?#([\w-]{1,200})(?:\s*\*\/)?\}\s*$/;
const alert = /^(\s*)>\s*\[!([a-z]+)\]\s*(.*)$/i;

/**
 * Writes what other dialects have besides CommonMark as ours: admonitions of Docusaurus, VitePress, MkDocs and GitHub, and callouts of Notion, become
 * hints, the tabs of Docusaurus become tabs. Everything else stays, line by line, and so does code.
 */
export function adaptLines(lines: readonly string[], dialect: Dialect, depth = 0): string[] {
  const made: string[] = [];
  const open: string[] = [];
  const code = new CodeFences();
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string;
    if (code.readIsCode(line)) {
      made.push(line);
      continue;
    }
    if (dialect.mdx && depth === 0 && moduleLine.test(line)) {
      at = endOfBelonging(lines, at, (next) => next.trim() !== '') - 1;
      continue;
    }
    const aside = dialect.notion ? readAsideAt(lines, at) : undefined;
    if (aside) {
      pushSpaced(made, ['', ...hintOpeningLines(aside), ...aside.text]);
      open.push(`${aside.indent}{% endhint %}`);
      at = aside.end - 1;
      continue;
    }
    const found = depth < maxDepth ? readAdmonitionAt(lines, at) : undefined;
    if (found) {
      pushSpaced(made, hintLines(found, adaptLines(found.inside, dialect, depth + 1)));
      at = found.end - 1;
      continue;
    }
    pushSpaced(made, adaptLine(line, dialect, open));
  }
  for (const end of open.reverse()) pushSpaced(made, ['', end]);
  return made;
}

/** Adds lines with at most one empty line between others. */
function pushSpaced(made: string[], lines: readonly string[]): void {
  if (lines.length === 1) made.push(lines[0] as string);
  else for (const line of lines) if (line !== '' || made.at(-1) !== '') made.push(line);
}

interface Admonition {
  indent: string;
  style: HintStyle;
  title: string | undefined;
  isFolded?: boolean;
}

interface Block extends Admonition {
  inside: string[];
  /** The line after it. */
  end: number;
}

function hintLines({ indent, style, title = '', isFolded }: Admonition, inside: string[]): string[] {
  const body = inside.map((line) => (line === '' ? '' : indent + line));
  if (isFolded)
    return [
      '',
      `${indent}<details>`,
      '',
      `${indent}<summary>${title || 'Details'}</summary>`,
      '',
      ...body,
      '',
      `${indent}</details>`,
      '',
    ];
  return ['', ...hintOpeningLines({ indent, style, title }), ...body, '', `${indent}{% endhint %}`, ''];
}

const hintOpeningLines = ({ indent, style, title }: Admonition): string[] => [
  `${indent}{% hint style="${style}" %}`,
  ...(title ? [`${indent}**${title.replaceAll('*', '\\*')}**`, ''] : []),
];

interface Aside extends Admonition {
  /** The text of its first line. */
  text: string[];
  /** The line after what was read of it. */
  end: number;
}

/** The start of a callout: its icon stands alone, before its text, or is an image. */
function readAsideAt(lines: readonly string[], at: number): Aside | undefined {
  const indent = /^(\s*)<aside>\s*$/.exec(lines[at] as string)?.[1];
  if (indent === undefined) return undefined;
  const first = lines[at + 1]?.trim() ?? '';
  const isImage = /^<img\s[^>]*notion[^>]*>$/.test(first);
  const [icon = ''] = isImage ? [first] : first.split(/\s/, 1);
  if (!isImage && !isOneEmoji(icon)) return { indent, style: 'info', title: undefined, text: [], end: at + 1 };
  const style = hintStyleOfIcon(icon);
  const rest = isImage || style ? first.slice(icon.length).trim() : first;
  return { indent, style: style ?? 'info', title: undefined, text: rest ? [indent + rest] : [], end: at + 2 };
}

/** An admonition whose lines are recognised by how they begin. */
function readAdmonitionAt(lines: readonly string[], at: number): Block | undefined {
  const line = lines[at] as string;
  const [whole, indent = '', mark = '', kind = '', title] = indented.exec(line) ?? [];
  if (whole !== undefined) {
    const style = hintStyleOf(kind) ?? 'info';
    const inner = `${indent}    `;
    const end = endOfBelonging(lines, at + 1, (next) => next.trim() === '' || next.startsWith(inner));
    const inside = lines.slice(at + 1, end).map((next) => next.slice(inner.length));
    return { indent, style, title: title || undefined, isFolded: mark !== '!!!', inside, end };
  }
  const [quote, before = '', name = '', rest = ''] = alert.exec(line) ?? [];
  const style = hintStyleOf(name);
  if (quote === undefined || !style) return undefined;
  const end = endOfBelonging(lines, at + 1, (next) => next.trimStart().startsWith('>'));
  const inside = lines.slice(at + 1, end).map((next) => next.trimStart().replace(/^>\s?/, ''));
  return { indent: before, style, title: rest.trim() || undefined, inside, end };
}

function endOfBelonging(lines: readonly string[], from: number, belongs: (line: string) => boolean): number {
  let end = from;
  while (end < lines.length && belongs(lines[end] as string)) end++;
  // Empty lines at the end are between this block and the next one.
  while (end > from && (lines[end - 1] as string).trim() === '') end--;
  return end;
}

/** `open`: the ends of the blocks that are open. */
function adaptLine(line: string, { mdx = false }: Dialect, open: string[]): string[] {
  if ((colonsEnd.test(line) || asideEnd.test(line)) && open.at(-1)?.includes('endhint'))
    return ['', open.pop() as string];
  if (line.length > maxLine) return [line];
  const [started, indent = '', kind = '', bracketed, plain] = colons.exec(line) ?? [];
  const style = started === undefined ? undefined : hintStyleOf(kind);
  if (style) {
    open.push(`${indent}{% endhint %}`);
    return ['', ...hintOpeningLines({ indent, style, title: (bracketed ?? plain)?.trim() || undefined })];
  }
  const tab = adaptTabLine(line);
  if (tab) return tab;
  const [, text = '', id] = headingId.exec(line) ?? [];
  if (id !== undefined) return [`${text}<a href="#${id}" id="${id}"></a>`];
  return mdx && commentLine.test(line) ? [] : [line];
}

function adaptTabLine(line: string): string[] | undefined {
  const tag = /^(\s*)<(\/?)(Tabs|TabItem)\b([^>]*)>\s*$/.exec(line);
  if (!tag) return undefined;
  const [, indent = '', slash, name, attributes = ''] = tag;
  if (name === 'Tabs') return ['', `${indent}{% ${slash ? 'endtabs' : 'tabs'} %}`, ''];
  if (slash) return ['', `${indent}{% endtab %}`, ''];
  const title = /\blabel=["']([^"']*)["']/.exec(attributes)?.[1] ?? /\bvalue=["']([^"']*)["']/.exec(attributes)?.[1];
  return ['', `${indent}{% tab title="${title ?? 'Tab'}" %}`, ''];
}
