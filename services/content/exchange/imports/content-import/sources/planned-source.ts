import { omitUndefined } from '../../../../../../shared/values/omit-undefined.js';
import { findKnownPath } from '../../../../format/space/path-names.js';
import { folderOf, joinPath, percentDecode } from '../../../../format/space/paths.js';
import { bounds } from '../../../conversion/bounds.js';
import { withoutNotionId } from '../../../conversion/layouts/page-names.js';
import { wikiKey } from '../../../conversion/layouts/planned-tree.js';
import type { ArchivePage, Flavour, GivenFile, PageFormat, PlannedTree } from '../../../conversion/model.js';
import { refusal } from '../../../conversion/refused.js';
import type { PageConverter } from './converting.js';
import type { Gathered, GatheredPage, SourceTarget } from './gathered.js';

const noPages = 'url: no pages were found in it: neither Markdown nor HTML files';

/** Converts the pages of an archive, as its tree was planned. */
export async function gatherPlanned(
  { converting }: { converting: PageConverter },
  { tree, files }: { tree: PlannedTree; files: GivenFile[] },
): Promise<Gathered> {
  const byPath = new Map(files.map((file) => [file.path, file]));
  checkPages(tree.pages);
  const { flavour } = tree;
  const included = flavour === 'mdbook' ? byPath : undefined;
  const convert = async (planned: ArchivePage): Promise<GatheredPage[]> => {
    const file = planned.path === undefined ? undefined : byPath.get(planned.path);
    const content =
      file && (await converting.convertOneOfMany({ file, format: pageFormatOf(file.path), flavour, included }));
    const children: GatheredPage[] = [];
    for (const child of planned.children) children.push(...(await convert(child)));
    if (!content && children.length === 0) return [];
    const { path = '', isGroup } = planned;
    const title = planned.title ?? shownTitleOf(content?.title, flavour) ?? planned.name;
    return [omitUndefined({ key: path, title, base: path, children, content: content || undefined, isGroup })];
  };
  const pages: GatheredPage[] = [];
  for (const planned of tree.pages) pages.push(...(await convert(planned)));
  const places = new Places(tree, byPath, pages);
  return {
    pages,
    targetOf: ({ base }, address) => places.targetOf(base, address),
    fileAt: async (path) => byPath.get(path),
  };
}

function checkPages(pages: readonly ArchivePage[]): void {
  let count = 0;
  const countPages = (list: readonly ArchivePage[]) => {
    for (const { path, children } of list) {
      if (path !== undefined) count++;
      countPages(children);
    }
  };
  countPages(pages);
  if (count === 0) throw refusal(noPages);
  if (count > bounds.pages) throw refusal(`url: it has more than ${bounds.pages.toLocaleString('en')} pages`);
}

const shownTitleOf = (title: string | undefined, flavour: Flavour) =>
  flavour === 'notion' && title ? withoutNotionId(title) : title;

function pageFormatOf(path: string): PageFormat {
  if (/\.csv$/i.test(path)) return 'csv';
  return /\.(?:md|markdown|mdx)$/i.test(path) ? 'markdown' : 'html';
}

const asPage = [
  '',
  '.md',
  '.mdx',
  '.markdown',
  '.html',
  '.htm',
  '/README.md',
  '/index.md',
  '/index.mdx',
  '/index.html',
];

/** Finds what links in an archive lead to. */
class Places {
  private readonly pages: Set<string>;
  private readonly names = new Map<string, string>();

  constructor(
    private readonly tree: PlannedTree,
    private readonly files: ReadonlyMap<string, GivenFile>,
    pages: readonly GatheredPage[],
  ) {
    const keys = [...pagesWithContent(pages)].map(({ key }) => key);
    this.pages = new Set(keys);
    if (tree.flavour === 'wiki') for (const key of keys) this.names.set(wikiKey(key), key);
  }

  targetOf(from: string, address: string): SourceTarget {
    if (/^(?:https?:)?\/\//i.test(address))
      return URL.canParse(address, 'https://a') ? { url: new URL(address, 'https://a').href } : undefined;
    const [path = '', anchor] = address.split('#', 2);
    const said = percentDecode(path.split('?', 1)[0] as string);
    for (const place of this.candidatePaths(from, said)) {
      const page = this.pageAt(place);
      if (page !== undefined) return { page, anchor };
      const file = findKnownPath(this.files, place);
      if (file !== undefined) return { file };
    }
    return undefined;
  }

  /** Where an address may lead to: from the page, from the top of the source, or from that of the archive. */
  private *candidatePaths(from: string, path: string): Generator<string> {
    const folder = path.startsWith('/') ? this.tree.root : folderOf(from);
    const first = joinPath(folder, path.replace(/^\/+/, ''));
    if (first !== undefined) yield first;
    if (!path.startsWith('/')) return;
    yield path.slice(1);
    // Files that are served as they are lie beside the pages.
    yield joinPath(folderOf(this.tree.root), `static${path}`) ?? path;
    // Sites of Docusaurus show their folder of pages below an address of its own.
    const below = joinPath(this.tree.root, path.replace(/^\/[^/]*\//, ''));
    if (below !== undefined) yield below;
  }

  private pageAt(path: string): string | undefined {
    const bare = path.replace(/\/$/, '');
    const book = bare.replace(/\.html$/i, '.md');
    for (const name of [...asPage.map((end) => bare + end), book]) {
      const known = findKnownPath(this.pages, name);
      if (known !== undefined) return known;
    }
    return this.tree.flavour === 'wiki' && !this.files.has(bare) ? this.names.get(wikiKey(`${bare}.md`)) : undefined;
  }
}

function* pagesWithContent(pages: readonly GatheredPage[]): Generator<GatheredPage> {
  for (const page of pages) {
    if (page.content) yield page;
    yield* pagesWithContent(page.children);
  }
}
