/** Where the parts of a page's source begin, as it is written. */
export interface SourceParts {
  /** The YAML between the `---` lines; undefined without front matter. */
  yaml: { from: number; to: number } | undefined;
  body: number;
}

export function locateParts(source: string): SourceParts {
  const start = source.charCodeAt(0) === 0xfeff ? 1 : 0;
  const open = /^\uFEFF?---[ \t]*(?:\r\n?|\n)/.exec(source);
  if (!open) return { yaml: undefined, body: start };
  const close = /^---[ \t]*$/gm;
  close.lastIndex = open[0].length;
  const found = close.exec(source);
  if (!found) return { yaml: undefined, body: start };
  const after = found.index + found[0].length;
  const lineEnd = source.startsWith('\r\n', after) ? 2 : 1;
  return { yaml: { from: open[0].length, to: found.index }, body: Math.min(after + lineEnd, source.length) };
}

/** The text with `\n` line ends and without NUL, as parsers take it. */
export function normalizeText(text: string): string {
  const lines = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
  return lines.includes('\0') ? lines.replaceAll('\0', '\uFFFD') : lines;
}

/** The lines of a text with their ends. */
export function splitLines(text: string): string[] {
  return text.match(/[^\r\n]*(?:\r\n?|\n)|[^\r\n]+$/g) ?? [];
}
