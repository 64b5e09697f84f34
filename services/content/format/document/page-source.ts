import { normalized, sourceParts } from '../space/source-parts.js';

/** The two parts of a page's source, with `\n` line ends and without byte order mark. */
export interface PageSource {
  /** The YAML between the `---` lines; undefined without front matter. */
  frontMatter: string | undefined;
  body: string;
}

export function splitSource(source: string): PageSource {
  const { yaml, body } = sourceParts(source);
  return {
    frontMatter: yaml && normalized(source.slice(yaml.from, yaml.to)),
    body: normalized(source.slice(body)),
  };
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
