import { isDeepStrictEqual } from 'node:util';
import { top } from '../../../core/revisions/page-tree.js';
import { eachPageOf, type PageEntry, type RevisionView } from '../../../core/revisions/revision-view.js';
import { locateParts } from '../../../format/space/source-parts.js';
import type { Edited } from './random-edits.js';
import type { TwoSides } from './two-sides.js';

export interface Sides {
  base: RevisionView;
  primary: Edited;
  changeRequest: Edited;
}

const fieldNames = ['type', 'title', 'slug', 'description', 'icon', 'hidden', 'condition'] as const;
export type FieldName = (typeof fieldNames)[number];

export const parentIn = (view: RevisionView, id: string) => view.parentById.get(id) ?? top;
export const listIn = (view: RevisionView, parent: string): string[] =>
  (parent === top ? view.pages : (view.pageById.get(parent)?.pages ?? [])).map(({ id }) => id);
const placeIn = (view: RevisionView, id: string) => {
  const list = listIn(view, parentIn(view, id));
  return { parent: parentIn(view, id), after: list[list.indexOf(id) - 1] };
};
const below = (view: RevisionView, id: string): string[] => {
  const page = view.pageById.get(id);
  return page ? [...eachPageOf(page.pages)].map((each) => each.id) : [];
};

/** What one side did to each page, seen from its ids. */
export class SideChanges {
  constructor(
    readonly base: RevisionView,
    readonly view: RevisionView,
  ) {}

  has = (id: string) => this.view.pageById.has(id);
  isNew = (id: string) => this.has(id) && !this.base.pageById.has(id);
  deleted = (id: string) => !this.has(id) && this.base.pageById.has(id);
  moved = (id: string): boolean => {
    const [before, now] = [this.base.pageById.get(id), this.view.pageById.get(id)];
    if (!before || !now) return false;
    return before.placed !== now.placed || parentIn(this.base, id) !== parentIn(this.view, id);
  };
  fields = (id: string): FieldName[] => {
    const [before, now] = [this.base.pageById.get(id), this.view.pageById.get(id)];
    return before && now ? fieldNames.filter((name) => !isDeepStrictEqual(before[name], now[name])) : [];
  };
  written = (id: string) => this.base.pageById.get(id)?.document !== this.view.pageById.get(id)?.document;
  edited = (id: string) => this.has(id) && (this.moved(id) || this.fields(id).length > 0 || this.written(id));
  /** Also what happened below it, in either content. */
  touched = (id: string): boolean => {
    const here = [id, ...below(this.base, id), ...below(this.view, id)];
    return here.some((each) => this.deleted(each) || this.isNew(each) || this.edited(each));
  };
}

/** What a merge has to make of two sides, worked out page by page. */
export class Expected {
  readonly primary: SideChanges;
  readonly changeRequest: SideChanges;
  readonly ids: Set<string>;

  constructor(readonly sides: Sides) {
    this.primary = new SideChanges(sides.base, sides.primary.view);
    this.changeRequest = new SideChanges(sides.base, sides.changeRequest.view);
    const all = [sides.base, sides.primary.view, sides.changeRequest.view].flatMap(({ pageById }) => [
      ...pageById.keys(),
    ]);
    this.ids = new Set(all);
  }

  get present(): Set<string> {
    return new Set([...this.ids].filter((id) => !this.primary.deleted(id) && !this.changeRequest.deleted(id)));
  }

  /** The side that decides what a page has of something; undefined when both changed it, each differently. */
  decided<T>(valueIn: (view: RevisionView) => T, changedIn: (side: SideChanges) => boolean): RevisionView | undefined {
    const { primary, changeRequest } = this;
    if (!changedIn(changeRequest)) return primary.view;
    if (!changedIn(primary)) return changeRequest.view;
    const [base, ours, theirs] = [this.sides.base, primary.view, changeRequest.view].map(valueIn);
    if (isDeepStrictEqual(ours, theirs) || isDeepStrictEqual(theirs, base)) return primary.view;
    return isDeepStrictEqual(ours, base) ? changeRequest.view : undefined;
  }

  field = (id: string, name: FieldName) =>
    this.decided(
      (view) => view.pageById.get(id)?.[name],
      (side) => side.isNew(id) || side.fields(id).includes(name),
    );
  position = (id: string) =>
    this.decided(
      (view) => placeIn(view, id),
      (side) => side.isNew(id) || side.moved(id),
    );

  /** The pages that have to be reported. */
  get conflicting(): Set<string> {
    return new Set([...this.ids].filter((id) => this.isConflict(id)));
  }

  private isConflict(id: string): boolean {
    const { primary, changeRequest } = this;
    for (const [one, other] of [
      [primary, changeRequest],
      [changeRequest, primary],
    ] as const)
      if (one.deleted(id) && other.has(id) && (other.edited(id) || this.holds(other, id))) return true;
    if (!primary.has(id) || !changeRequest.has(id)) return false;
    if (fieldNames.some((name) => name !== 'slug' && this.field(id, name) === undefined)) return true;
    return this.field(id, 'slug') === undefined || this.position(id) === undefined || this.sameLine(id);
  }

  /** Whether a page holds one, in the content of a side, that the other side does not know or that stays. */
  private holds(side: SideChanges, id: string): boolean {
    return listIn(side.view, id).some((child) => {
      const other = side === this.primary ? this.changeRequest : this.primary;
      if (!other.deleted(child)) return [undefined, side.view].includes(this.position(child));
      return side.edited(child) || this.holds(side, child);
    });
  }

  private sameLine(id: string): boolean {
    const [ours, theirs] = [this.sides.primary.replaced.get(id), this.sides.changeRequest.replaced.get(id)];
    return [...(ours?.keys() ?? [])].some((line) => theirs?.has(line) && theirs.get(line) !== ours?.get(line));
  }

  /** Whether each side's moves together would put a page below itself. */
  get isCycle(): boolean {
    return [...this.present].some((id) => isCircular(id, (at) => parentIn(this.position(at) ?? this.sides.base, at)));
  }

  /** The pages that may be reported: those that both sides had to do with. */
  mayConflict = (id: string) => this.primary.touched(id) && this.changeRequest.touched(id);
}

/** Whether going up from a page never ends. */
export function isCircular(id: string, parentOf: (id: string) => string): boolean {
  const seen = new Set<string>();
  for (let at = id; at !== top; at = parentOf(at)) {
    if (seen.has(at)) return true;
    seen.add(at);
  }
  return false;
}

export const linesOf = (source: string) => source.slice(locateParts(source).body).match(/.*\n/g) ?? [];

/** The lines and pages that a side added. */
export async function addedLines(sides: TwoSides, base: RevisionView, view: RevisionView): Promise<[string, string][]> {
  const added: [page: string, line: string][] = [];
  for (const id of view.pageById.keys()) {
    const before = new Set(linesOf(await sides.sourceOf(base, id)));
    for (const line of linesOf(await sides.sourceOf(view, id))) if (!before.has(line)) added.push([id, line]);
  }
  return added;
}

const found = (view: RevisionView) => ({
  pages: view.pages,
  ids: [...view.pageById].sort(([a], [b]) => (a < b ? -1 : 1)),
  parents: [...view.parentById].sort(),
  paths: [...view.pageByPath].map(([path, { id }]) => [path, id]).sort(),
  conditional: view.conditional.map(({ id }) => id).sort(),
  files: [...view.fileById].sort(),
  reusable: view.reusable,
});

/** Checks that a revision is a tree, with the paths that its slugs make, and that the store has it so. */
export async function expectSound(sides: TwoSides, view: RevisionView): Promise<void> {
  expect(found(view)).toEqual(found(await sides.reread(view)));
  const all = [...eachPageOf(view.pages)];
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  expect(view.clashes).toBe(false);
  const check = (pages: PageEntry[], above: string) => {
    const placed = pages.filter(({ type }) => type !== 'link');
    expect(new Set(placed.map(({ slug }) => slug)).size).toBe(placed.length);
    for (const page of placed) {
      expect(page.path).toBe(`${above}${page.slug}`);
      check(page.pages, `${page.path}/`);
    }
  };
  check(view.pages, '');
}

/** What pages are: their places, fields and texts, without what says when and how they came to be. */
export const shape = (pages: PageEntry[]): unknown[] =>
  pages.map(({ id, title, slug, path, heading, description, icon, hidden, condition, document, pages: inner }) => [
    { id, title, slug, path, heading, description, icon, hidden, condition, document },
    shape(inner),
  ]);
