import { folderOf, joinPath } from '../../../format/space/paths.js';
import { parseSummary, type SummaryEntry } from '../../../format/space/summary/summary.js';
import type { ArchivePage } from '../model.js';
import { readableName } from './page-names.js';

export interface ListedFiles {
  text: string;
  /** The path of the table of contents. */
  path: string;
  /** The page that a target names. */
  pageAt: (path: string) => string | undefined;
}

/** The pages of a table of contents, in its order; those that are not there are left out, each page once. */
export function readListedTree({ text, path, pageAt }: ListedFiles): ArchivePage[] {
  const listed = new Set<string>();
  const folder = folderOf(path);
  const pagesOf = (entries: readonly SummaryEntry[]): ArchivePage[] =>
    entries.flatMap((entry): ArchivePage[] => {
      const target = entry.type === 'item' && entry.target?.kind === 'file' ? entry.target.path : undefined;
      const named = target ? joinPath(folder, target) : undefined;
      const page = named === undefined ? undefined : pageAt(named);
      const isNew = page !== undefined && !listed.has(page);
      if (isNew) listed.add(page);
      const children = pagesOf(entry.children);
      if (isNew)
        return [{ path: page, name: readableName(page), ...(entry.title ? { title: entry.title } : {}), children }];
      if (children.length === 0) return [];
      return [
        { name: entry.title || 'Untitled', children, ...(entry.type === 'group' ? { isGroup: true as const } : {}) },
      ];
    });
  return pagesOf(parseSummary(addBullets(text)).entries);
}

/** Chapters of mdBook before and after the numbered ones have no bullet, and its parts are headings of the first level. */
function addBullets(text: string): string {
  let headings = 0;
  return text
    .split(/\r?\n/)
    .map((line) => {
      if (/^\[[^\]\n]{1,500}\]\([^)\n]{0,500}\)\s*$/.test(line)) return `* ${line}`;
      if (/^# /.test(line)) return ++headings > 1 ? `#${line}` : line;
      return line;
    })
    .join('\n');
}
