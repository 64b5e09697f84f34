import type { ListedPage } from '../summary/listed-pages.js';
import { editSummary, listsExactly, type SummaryPlace } from '../summary-edits/summary-edits.js';
import { listedIn, pageTitled, placeWith } from './summary-trees.js';

const files = ['a', 'b', 'c', 'd', 'e', 'f', 'n', 'm'].map((name) => `${name}.md`);

export const place = placeWith([...files, 'README.md', 'x y (1).md', 'sheet.pdf', 'old.md', 'Case.md']);

export type Change = (pages: ListedPage[]) => void;

/** A document of the file with its name. */
export const page = (title: string, more: Partial<ListedPage> = {}): ListedPage => {
  return { type: 'document', title, slug: title.toLowerCase(), file: `${title.toLowerCase()}.md`, pages: [], ...more };
};

export const fresh = page('N');

export function group(title: string, pages: ListedPage[]): ListedPage {
  return { type: 'group', title, slug: title.toLowerCase(), pages };
}

export function link(title: string, href: string): ListedPage {
  return { type: 'link', title, slug: '', target: { href }, pages: [] };
}

export function rename(pages: ListedPage[], title: string, to: string): void {
  pageTitled(pages, title).title = to;
}

/** Gives a page another file. */
export function refile(pages: ListedPage[], title: string, file: string): void {
  const renamed = pageTitled(pages, title);
  Object.assign(renamed, { formerFile: renamed.file, file });
}

/** The text after a change of its pages, which it must list; without a change, it must stay as it is. */
export function edited(text: string, change: Change, where: SummaryPlace = place): string {
  const pages = listedIn(text, where);
  expect(editSummary(text, pages, where)).toBe(text);
  change(pages);
  const made = editSummary(text, pages, where);
  expect(listsExactly(made, pages, where)).toBe(true);
  return made;
}
