import { locateParts, normalizeText } from '../space/source-parts.js';

/** The two parts of a page's source, with `\n` line ends and without byte order mark. */
export interface PageSource {
  /** The YAML between the `---` lines; undefined without front matter. */
  frontMatter: string | undefined;
  body: string;
}

export function splitSource(source: string): PageSource {
  const { yaml, body } = locateParts(source);
  return {
    frontMatter: yaml && normalizeText(source.slice(yaml.from, yaml.to)),
    body: normalizeText(source.slice(body)),
  };
}

/** Where the level-1 heading ends that the body starts with: `# …`, a paragraph underlined with `=`, or `<h1>`. */
export function endOfFirstHeading(body: string): number | undefined {
  const firstLine = body.slice(0, body.indexOf('\n') + 1 || undefined);
  if (/^ {0,3}#(?:[ \t]|$)/m.test(firstLine)) return firstLine.length;
  const blank = /\n[ \t]*\n/.exec(body.slice(0, 2000));
  if (/^ {0,3}<h1[\s>]/im.test(firstLine)) return endOfClosingTag(body, 'h1') ?? blank?.index ?? body.length;
  const lines = body.slice(0, blank?.index ?? 2000).split('\n');
  const underline = lines.findIndex((line) => /^ {0,3}=+[ \t]*$/.test(line));
  const isTextLine = (line: string) => !/^(?: {0,3}(?:[-*+>#<|`~]|\d{1,9}[.)]|\{%)|\t| {4})/.test(line);
  if (underline <= 0 || !lines.slice(0, underline).every(isTextLine)) return undefined;
  return lines.slice(0, underline + 1).join('\n').length;
}

function endOfClosingTag(text: string, name: string): number | undefined {
  const end = new RegExp(`</${name}\\s*>`, 'i').exec(text);
  return end ? end.index + end[0].length : undefined;
}
