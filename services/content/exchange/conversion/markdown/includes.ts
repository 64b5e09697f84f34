import { folderOf, joinPath } from '../../../format/space/paths.js';
import { bounds, megabytes } from '../bounds.js';
import { refusal } from '../refused.js';

interface Including {
  path: string;
  readText: (path: string) => string | undefined;
}

const directive = /\{\{\s*#(include|rustdoc_include|playground|title)\s+([^}\s]{1,300})[^}]*\}\}/g;
const maxIncludes = 200;

/** Replaces the directives of mdBook that include other files; one whose file is not there, or is larger than a page, is left out. Throws 422 for too much. */
export function withIncludes(text: string, { path, readText }: Including): string {
  let left = maxIncludes;
  let room: number = bounds.page;
  return text.replace(directive, (_, name: string, target: string) => {
    if (name === 'title' || --left < 0) return '';
    const [file = '', ...part] = target.split(':');
    const place = joinPath(folderOf(path), file);
    const included = place === undefined ? undefined : readText(place);
    if (included === undefined) return '';
    const shown = partOf(included, part);
    room -= shown.length;
    if (room < 0) throw refusal(`url: the page includes more than ${megabytes(bounds.page)}`);
    return name === 'playground' ? `\`\`\`rust\n${shown}\n\`\`\`` : shown;
  });
}

/** `[from, to]` lines, or the name of an anchor. */
function partOf(text: string, [first = '', last]: string[]): string {
  const lines = text.split(/\r?\n/);
  const isMark = (line: string) => /\bANCHOR(?:_END)?:\s*[\w-]+/.test(line);
  if (first !== '' && !/^\d+$/.test(first)) {
    const marks = (kind: string) =>
      lines.findIndex((line) => new RegExp(`\\b${kind}:\\s*${escapePattern(first)}\\b`).test(line));
    const [from, to] = [marks('ANCHOR'), marks('ANCHOR_END')];
    if (from < 0) return '';
    return lines
      .slice(from + 1, to < 0 ? undefined : to)
      .filter((line) => !isMark(line))
      .join('\n');
  }
  const from = first === '' ? 1 : Number(first);
  const to = last === undefined ? (first === '' ? lines.length : from) : last === '' ? lines.length : Number(last);
  return lines
    .slice(Math.max(0, from - 1), to)
    .filter((line) => !isMark(line))
    .join('\n')
    .trimEnd();
}

const escapePattern = (text: string) => text.replace(/[^\w-]/g, (sign) => `\\${sign}`);
