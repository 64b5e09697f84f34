import type { OutlineTarget } from './outline.js';
import type { ComputedSource } from './summary.js';

/** A page as the table of contents is to list it. */
export interface ListedPage {
  type: 'document' | 'group' | 'link' | 'computed';
  title: string;
  emoji?: string;
  fileEmoji?: string;
  linkTitle?: string;
  slug: string;
  file?: string;
  formerFile?: string;
  target?: OutlineTarget;
  computed?: ComputedSource;
  pages: ListedPage[];
}

export function editedSummary(
  text: string | undefined,
  pages: ListedPage[],
  place: {
    root: string;
    summary: string;
    files: ReadonlySet<string>;
    titleOf(path: string): string | undefined;
    home?: string;
    former?: unknown;
  },
): string {
  if (text !== undefined) return text;
  const lines = ['# Table of contents', ''];
  const put = (list: ListedPage[], level: number) => {
    for (const page of list) {
      if (page.type === 'group') {
        lines.push('', `## ${page.title}`, '');
        put(page.pages, 0);
        continue;
      }
      const to = page.file ?? (page.target && 'href' in page.target ? page.target.href : page.target?.file);
      const from = place.root === '' ? to : to?.slice(place.root.length + 1);
      lines.push(`${'  '.repeat(level)}* ${from === undefined ? page.title : `[${page.title}](${from})`}`);
      put(page.pages, level + 1);
    }
  };
  put(pages, 0);
  return `${lines.join('\n')}\n`;
}
