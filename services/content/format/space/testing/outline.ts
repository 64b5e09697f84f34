import { type Outline, type OutlineOptions, readOutline } from '../outline/outline.js';
import type { OutlinePage } from '../outline/outline-pages.js';

/** The outline of files given by path and text; a file titles itself by a first line `# …`. */
export function outline(texts: Record<string, string>, options: Partial<OutlineOptions> = {}): Outline {
  const files = Object.keys(texts).map((path) => ({ path }));
  return readOutline(files, {
    readText: (path) => texts[path],
    titleOf: (path) => /^# (.+)/.exec(texts[path] ?? '')?.[1],
    ...options,
  });
}

/** One line a page, indented: type (documents have none), path, title, `<- file` or `-> target`. */
export function shown(pages: OutlinePage[], depth = 0): string[] {
  return pages.flatMap((page) => {
    const indent = '  '.repeat(depth);
    if (page.type === 'link') {
      const target = 'href' in page.target ? page.target.href : [page.target.file, page.target.anchor].join('#');
      return [`${indent}link ${page.title} -> ${target}`];
    }
    if (page.type === 'computed') return [`${indent}computed ${page.path} ${page.title}`];
    if (page.type === 'group') return [`${indent}group ${page.path} ${page.title}`, ...shown(page.children, depth + 1)];
    const file = page.file === undefined ? '' : ` <- ${page.file}`;
    return [`${indent}${page.path} ${page.title}${file}`, ...shown(page.children, depth + 1)];
  });
}

export const messages = ({ problems }: Outline) => problems.map(({ path, message }) => `${path}: ${message}`);
