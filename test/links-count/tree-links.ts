import { posix } from 'node:path';
import { anchorsIn, linksIn } from './page-scan.js';

/**
 * The links of a tree in the Git-sync format, counted by a scanner of its own: it shares no code with the product, so that equal
 * counts say something.
 */
export interface CountedTree {
  /** The files of the tree by their paths; the text of markdown files, anything for others. */
  files: ReadonlyMap<string, string>;
  /** The folder that holds `SUMMARY.md`. */
  folder: string;
  /** The public address of the server. */
  baseUrl: string;
}

export type CountedStatus = 'ok' | 'broken' | 'in-app';

const markdown = /\.(?:md|markdown)$/i;

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** The path that an address of a file names, its query and its anchor taken off. */
export function pathFrom(file: string, address: string): string {
  const plain = address.split('#', 1)[0]?.split('?', 1)[0] ?? '';
  const joined = plain.startsWith('/') ? plain.slice(1) : posix.join(posix.dirname(file), plain);
  return posix.normalize(decoded(joined)).replace(/^\.\//, '');
}

export class TreeLinks {
  /** The files that are pages, in the order of the summary. */
  readonly pages: string[];
  readonly includes: string[];
  /** Links of the summary itself: to other sites, and to parts of pages. */
  private readonly listed: string[] = [];
  private readonly anchors = new Map<string, ReadonlyMap<string, string>>();

  constructor(private readonly tree: CountedTree) {
    this.pages = this.pagesOfSummary();
    const folder = `${posix.join(tree.folder, '.gitbook/includes')}/`;
    this.includes = [...tree.files.keys()].filter((path) => path.startsWith(folder) && markdown.test(path)).sort();
  }

  /** Each target once, with its status. */
  targets(): Map<string, CountedStatus> {
    const found = new Map<string, CountedStatus>();
    const summary = posix.join(this.tree.folder, 'SUMMARY.md');
    const note = ([name, status]: [string, CountedStatus] | [] = []) => {
      if (name !== undefined && status !== undefined && !found.has(name)) found.set(name, status);
    };
    for (const file of [...this.pages, ...this.includes])
      for (const { address, kind } of linksIn(this.tree.files.get(file) ?? '')) note(this.target(file, address, kind));
    for (const address of this.listed) note(this.target(summary, address, 'link'));
    return found;
  }

  counts(): Record<CountedStatus, number> {
    const counts = { ok: 0, broken: 0, 'in-app': 0 };
    for (const status of this.targets().values()) counts[status] += 1;
    return counts;
  }

  private pagesOfSummary(): string[] {
    const { files, folder } = this.tree;
    const pages = new Set<string>();
    for (const line of (files.get(posix.join(folder, 'SUMMARY.md')) ?? '').split('\n')) {
      const [, address = ''] = /^\s*[*+-]\s+\[(?:[^\]\\]|\\.)*\]\((<[^>]*>|(?:[^\s()]|\([^()]*\))*)/.exec(line) ?? [];
      const plain = address.replace(/^<|>$/g, '').replace(/\\([!-/:-@[-`{-~])/g, '$1');
      const path = pathFrom(posix.join(folder, 'SUMMARY.md'), plain);
      if (plain === '') continue;
      if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(plain) || plain.includes('#') || !markdown.test(path))
        this.listed.push(plain);
      else if (files.has(path)) pages.add(path);
    }
    return [...pages];
  }

  /** What a link leads to, by a name of its own, and whether that exists. */
  private target(file: string, address: string, kind: string): [string, CountedStatus] | undefined {
    const way = kind === 'include' || kind === 'openapi' ? 'in' : 'to';
    if (address === '' || address === '#' || address.length > 2048 || /^data:/i.test(address)) return undefined;
    if (kind === 'openapi') return [`${way} ${address}`, 'broken'];
    if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(address)) return this.addressElsewhere(address);
    const anchor = address.split('#')[1] ?? '';
    const path = address.startsWith('#') ? file : pathFrom(file, address);
    const name = `${way} ${path}${anchor ? `#${anchor}` : ''}`;
    if (kind === 'include' && this.includes.includes(path)) return [`${way} ${path}`, 'ok'];
    const page = address.startsWith('#') ? file : this.pageAt(path);
    if (page === undefined) return this.isFile(path) ? [`${way} ${path}`, 'ok'] : [name, 'broken'];
    if (anchor === '') return [`${way} ${page}`, 'ok'];
    const known = this.anchorOf(page, anchor);
    return known === undefined ? [`${way} ${page}#${anchor}`, 'broken'] : [`${way} ${page}#${known}`, 'ok'];
  }

  private addressElsewhere(address: string): [string, CountedStatus] {
    const rest = address.toLowerCase().startsWith(`${this.tree.baseUrl}/app`)
      ? address.slice(`${this.tree.baseUrl}/app`.length)
      : 'x';
    return [`to ${address}`, /^(?:[/?#]|$)/.test(rest) ? 'in-app' : 'ok'];
  }

  private pageAt(path: string): string | undefined {
    const plain = path.replace(/\/+$/, '');
    const folder = plain === '' || plain === '.' ? '' : `${plain}/`;
    return [plain, `${folder}README.md`, `${plain}.md`].find((candidate) => this.pages.includes(candidate));
  }

  private isFile(path: string): boolean {
    const inside = this.tree.folder === '' || path.startsWith(`${this.tree.folder}/`);
    return inside && this.tree.files.has(path) && !markdown.test(path);
  }

  /** The anchor of a page, or of what it includes, that a link names. */
  private anchorOf(page: string, anchor: string): string | undefined {
    const included = linksIn(this.tree.files.get(page) ?? '').filter(({ kind }) => kind === 'include');
    for (const file of [page, ...included.map(({ address }) => pathFrom(page, address))]) {
      const known = this.anchors.get(file) ?? anchorsIn(this.tree.files.get(file) ?? '');
      this.anchors.set(file, known);
      const found = known.get(decoded(anchor)) ?? known.get(lettersOf(decoded(anchor)));
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

/** An anchor without what dialects of the format write differently. */
export const lettersOf = (anchor: string) =>
  anchor
    .toLowerCase()
    .replace(/^id-(?=\d)/, '')
    .replace(/[^a-z0-9]+/g, '');
