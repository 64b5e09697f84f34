/** The two parts of a page's source, with `\n` line ends and without byte order mark. */
export interface PageSource {
  /** The YAML between the `---` lines; undefined without front matter. */
  frontMatter: string | undefined;
  body: string;
}

export function splitSource(source: string): PageSource {
  const text = normalize(source);
  const open = /^---[ \t]*\n/.exec(text);
  if (!open) return { frontMatter: undefined, body: text };
  const close = /^---[ \t]*$/gm;
  close.lastIndex = open[0].length;
  const found = close.exec(text);
  if (!found) return { frontMatter: undefined, body: text };
  const after = found.index + found[0].length;
  return { frontMatter: text.slice(open[0].length, found.index), body: text.slice(after + 1) };
}

function normalize(source: string): string {
  let text = source.charCodeAt(0) === 0xfeff ? source.slice(1) : source;
  if (text.includes('\r')) text = text.replace(/\r\n?/g, '\n');
  return text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text;
}

/** Whether the first block is a level-1 heading: `# …`, a paragraph underlined with `=`, or `<h1>`. */
export function startsWithHeading(body: string): boolean {
  if (/^ {0,3}(?:#(?:[ \t]|$)|<h1[\s>])/im.test(body.slice(0, body.indexOf('\n') + 1 || undefined))) return true;
  const blank = /\n[ \t]*\n/.exec(body.slice(0, 2000));
  const lines = body.slice(0, blank?.index ?? 2000).split('\n');
  const underline = lines.findIndex((line) => /^ {0,3}=+[ \t]*$/.test(line));
  const isText = (line: string) => !/^(?: {0,3}(?:[-*+>#<|`~]|\d{1,9}[.)]|\{%)|\t| {4})/.test(line);
  return underline > 0 && lines.slice(0, underline).every(isText);
}
