import { type PageEntry, pathPrefixBelow, type RevisionView } from './revision-view.js';

/** A page without the pages below it. */
export type OwnFields = Omit<PageEntry, 'pages'>;

/** Names the top level where a parent is asked for. */
export const top = '';

type Base = Pick<RevisionView, 'pages' | 'pageById' | 'parentById'>;

/**
 * The page tree of a revision while it is changed. The revision stays as it is: the result shares with it every list of pages in
 * which nothing changed, so that a change costs what it touches.
 */
export class PageTree {
  /** Pages that were changed or inserted; null for removed ones. */
  private readonly own = new Map<string, OwnFields | null>();
  /** The ids of the pages below a parent, where they differ from the base. */
  private readonly lists = new Map<string, string[]>();
  private readonly parents = new Map<string, string>();
  /** The number of pages. */
  size: number;

  constructor(private readonly base: Base) {
    this.size = base.pageById.size;
  }

  page(id: string): OwnFields | undefined {
    const own = this.own.get(id);
    return own === undefined ? this.base.pageById.get(id) : (own ?? undefined);
  }

  /** The parent of a page, `top` where it has none. */
  parentOf(id: string): string {
    return this.parents.get(id) ?? this.base.parentById.get(id) ?? top;
  }

  childrenOf(parent: string): readonly string[] {
    return this.lists.get(parent) ?? this.baseList(parent).map(({ id }) => id);
  }

  /** The pages above a page, nearest first. */
  *ancestorsOf(id: string): Generator<string> {
    for (let parent = this.parentOf(id); parent !== top; parent = this.parentOf(parent)) yield parent;
  }

  /** A page and everything below it, parents first. */
  *subtreeOf(id: string): Generator<string> {
    yield id;
    for (const child of this.childrenOf(id)) yield* this.subtreeOf(child);
  }

  /** `at`: the position among the new siblings; the end by default. */
  insert(page: OwnFields, parent: string, at?: number): void {
    this.size += 1;
    this.own.set(page.id, page);
    this.insertIntoList(page.id, parent, at);
    this.updatePaths(page.id);
  }

  replace(page: OwnFields): void {
    const before = this.page(page.id);
    this.own.set(page.id, page);
    if (before?.slug !== page.slug) this.updatePaths(page.id);
  }

  /** Takes back what was changed of a page's own fields. */
  reset(id: string): void {
    this.own.delete(id);
  }

  /** The new parent must not be the page itself, nor below it. */
  move(id: string, parent: string, at?: number): void {
    this.takeFromList(id);
    this.insertIntoList(id, parent, at);
    this.updatePaths(id);
  }

  remove(id: string): void {
    const gone = [...this.subtreeOf(id)];
    this.size -= gone.length;
    this.takeFromList(id);
    for (const each of gone) {
      this.own.set(each, null);
      this.lists.delete(each);
    }
  }

  /** The changed tree; the same array as before when nothing changed. */
  buildPages(): PageEntry[] {
    const changed = this.changedPages();
    const buildEntry = (id: string): PageEntry => ({ ...(this.page(id) as OwnFields), pages: buildList(id) });
    const entryInBase = (id: string) => this.base.pageById.get(id) as PageEntry;
    const buildList = (parent: string): PageEntry[] => {
      const below = changed.get(parent);
      const list = this.changedList(parent);
      if (list) return list.map((id) => (changed.has(id) ? buildEntry(id) : entryInBase(id)));
      if (!below) return this.baseList(parent);
      const after = [...this.baseList(parent)];
      for (const id of below) after[after.indexOf(entryInBase(id))] = buildEntry(id);
      return after;
    };
    return buildList(top);
  }

  private baseList(parent: string): PageEntry[] {
    return parent === top ? this.base.pages : (this.base.pageById.get(parent)?.pages ?? []);
  }

  /** The ids of the pages below a parent, if they or their order differ from the base. */
  private changedList(parent: string): string[] | undefined {
    const list = this.lists.get(parent);
    const base = this.baseList(parent);
    const isSame = list?.length === base.length && list.every((id, at) => base[at]?.id === id);
    return isSame ? undefined : list;
  }

  private ownList(parent: string): string[] {
    const known = this.lists.get(parent) ?? [...this.childrenOf(parent)];
    this.lists.set(parent, known);
    return known;
  }

  private insertIntoList(id: string, parent: string, at?: number): void {
    const list = this.ownList(parent);
    list.splice(at === undefined ? list.length : Math.min(at, list.length), 0, id);
    this.parents.set(id, parent);
  }

  private takeFromList(id: string): void {
    const list = this.ownList(this.parentOf(id));
    list.splice(list.indexOf(id), 1);
  }

  /** Brings the paths of a page and everything below it up to date with their slugs. */
  private updatePaths(id: string): void {
    const page = this.page(id) as OwnFields;
    const parent = this.parentOf(id);
    const above = parent === top ? '' : pathPrefixBelow(this.page(parent) as OwnFields);
    const path = page.type === 'link' ? '' : `${above}${page.slug}`;
    if (path === page.path) return;
    this.own.set(id, { ...page, path });
    for (const child of this.childrenOf(id)) this.updatePaths(child);
  }

  /** The pages that differ from the base and those above them, each with the pages below it that do. */
  private changedPages(): Map<string, Set<string>> {
    const changed = new Map<string, Set<string>>();
    const markChanged = (id: string) => {
      if (!changed.has(id)) changed.set(id, new Set());
      if (id === top) return;
      const parent = this.parentOf(id);
      markChanged(parent);
      changed.get(parent)?.add(id);
    };
    for (const [id, page] of this.own) if (page) markChanged(id);
    for (const parent of this.lists.keys()) if (this.changedList(parent)) markChanged(parent);
    return changed;
  }
}
