import { LRUCache } from 'lru-cache';
import type { Caller, ContentCaller } from '../../../shared/contract/caller.js';
import type { Call } from '../../../shared/contract/service.js';
import { sha256 } from '../../../shared/values/ids.js';
import { KeyedCache } from '../../../shared/work/keyed-cache.js';
import { type TreeEntry as ContentEntry, showTree } from '../../content/contract.js';
import type { SiteModel, TreeEntry } from '../parts/page-model.js';
import { renderTree, type TreeHtml } from '../parts/tree/tree.js';
import type { Addresses } from './addresses.js';

/** The navigation of a space. */
export interface SpaceTree {
  key: string;
  pages: ContentEntry[];
}

/** Bytes, about. */
const maxTrees = 16 * 1024 * 1024;
const maxRendered = 12 * 1024 * 1024;

const countOf = (entries: readonly ContentEntry[]): number =>
  entries.reduce((sum, { pages }) => sum + 1 + countOf(pages), 0);

/** Keeps the navigation of spaces by their revisions, and what was made of it. */
export class SiteTrees {
  private readonly kept = new KeyedCache<SpaceTree>({
    maxSize: maxTrees,
    sizeOf: ({ pages }) => 500 + 400 * countOf(pages),
  });
  /** The key of the navigation that a place had last. */
  private readonly lastKeys = new LRUCache<string, string>({ max: 5000 });
  private readonly rendered = new LRUCache<string, TreeHtml>({
    maxSize: maxRendered,
    sizeCalculation: ({ rows }) => 500 + 800 * rows.size,
  });

  constructor(private readonly callAs: (caller: Caller) => Call) {}

  /** The navigation of the space that is visited, by its key. */
  treeByKey(visitor: ContentCaller, key: string): Promise<SpaceTree> {
    return this.kept.get(`${visitor.space} ${key}`, () => this.treeOf(visitor));
  }

  /** The navigation of a space as a visitor sees it now; by default of the space that is visited. */
  async treeOf(visitor: ContentCaller, space = visitor.space): Promise<SpaceTree> {
    const { claims, changeRequest, revision } = visitor;
    const place = sha256(JSON.stringify([space, claims, changeRequest, revision]));
    const known = this.lastKeys.get(place);
    const last = known === undefined ? undefined : this.kept.getIfKept(`${space} ${known}`);
    const found = await this.callAs({ kind: 'anonymous' })(showTree, { visitor, space, known: last?.key });
    const { key, pages } = found.decode();
    const tree = pages ? { key, pages } : last;
    if (!tree) throw new Error('content answered without a tree');
    this.kept.set(`${space} ${key}`, tree);
    this.lastKeys.set(place, key);
    return tree;
  }

  /** The navigation as HTML, for pages at the same place. */
  renderedTree(tree: SpaceTree, site: SiteModel, addresses: Addresses): TreeHtml {
    const icons = site.customization.styling.icons === 'solid' ? 'solid' : 'regular';
    const name = `${tree.key} ${site.basePath} ${site.lang} ${icons}`;
    const known = this.rendered.get(name);
    if (known) return known;
    const allPages = { title: site.words.allPages, href: `${site.basePath}~all` };
    const made = renderTree(treeEntries(tree.pages, addresses), { icons, allPages });
    this.rendered.set(name, made);
    return made;
  }
}

/** The navigation as the templates take it. */
export function treeEntries(pages: readonly ContentEntry[], addresses: Addresses): TreeEntry[] {
  return pages.map((page) => {
    const { id, title, kind, emoji, icon } = page;
    const href = hrefOf(page, addresses);
    return {
      id,
      title,
      kind,
      ...(href === null ? {} : { href }),
      ...(emoji === undefined ? {} : { emoji }),
      ...(icon === undefined ? {} : { icon }),
      children: treeEntries(page.pages, addresses),
    };
  });
}

function hrefOf({ kind, path, target }: ContentEntry, addresses: Addresses): string | null {
  if (kind === 'document') return addresses.page(path);
  return kind === 'link' && target ? addresses.target(target) : null;
}
