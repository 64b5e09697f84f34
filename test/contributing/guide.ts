import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A code block of a guide: a new file, or a diff of an existing one. */
export interface Snippet {
  /** Relative to the repository's root. */
  path: string;
  language: string;
  text: string;
}

const snippet = /`(?<path>[\w./-]+\.(?:tsx?|ya?ml))`:\n\n```(?<language>tsx?|yaml|diff)\n(?<text>.*?)^```$/gms;

/** The code blocks of a guide below a line that ends with the name of a file. */
export const snippetsOf = (guide: string): Snippet[] =>
  [...guide.matchAll(snippet)].map(({ groups }) => groups as unknown as Snippet);

/** The lines that a snippet adds, without empty ones. */
export const addedLines = ({ language, text }: Snippet): string[] =>
  text.split('\n').filter((line) => (language === 'diff' ? line.startsWith('+') : line !== ''));

const side = (hunk: string[], ...marks: string[]): string =>
  hunk
    .filter((line) => marks.includes(line.charAt(0)))
    .map((line) => `${line.slice(1)}\n`)
    .join('');

/**
 * Applies a diff whose hunks are separated by `@@` and need no line numbers: the lines that a hunk keeps or takes away occur
 * exactly once. A hunk of imports alone goes to the top.
 */
export function applyDiff(source: string, diff: string): string {
  return diff
    .split(/^@@\n/m)
    .map((hunk) => hunk.split('\n').filter((line) => line !== ''))
    .reduce((text, hunk) => {
      const [before, after] = [side(hunk, ' ', '-'), side(hunk, ' ', '+')];
      if (before === '' && hunk.every((line) => line.startsWith('+import '))) return after + text;
      const parts = text.split(before);
      if (before === '' || parts.length !== 2)
        throw new Error(`this does not apply in exactly one place:\n${hunk.join('\n')}`);
      return parts.join(after);
    }, source);
}

/** Does to the sources in `root` what a reader of the guide does: makes new files, changes existing ones. */
export async function follow(snippets: Snippet[], root: string): Promise<void> {
  for (const { path, language, text } of snippets) {
    const file = join(root, path);
    if (language === 'diff') await writeFile(file, applyDiff(await readFile(file, 'utf8'), text));
    else if (existsSync(file)) throw new Error(`${path} exists already`);
    else {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }
  }
}
