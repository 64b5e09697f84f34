import { isDeepStrictEqual } from 'node:util';
import type { BodyOf } from '../../../../shared/contract/operation.js';
import { newId, timestamp } from '../../../../shared/values/ids.js';
import type { FileEntry } from '../../core/revisions/model.js';
import { type OwnFields, PageTree } from '../../core/revisions/page-tree.js';
import type { RevisionView } from '../../core/revisions/revision-view.js';
import type { changeOperations } from '../contract/changes.js';
import type { PageSources } from './page-sources.js';

export type Change = BodyOf<typeof changeOperations.updateChangeRequestContent>['changes'][number];
export type ChangeOf<O extends Change['operation']> = Extract<Change, { operation: O }>;

type Outcome = 'created' | 'updated' | 'deleted';

/** Content while a batch of changes is applied to it. */
export class ContentDraft {
  readonly tree: PageTree;
  /** The names that the batch gives to its pages and files. */
  readonly refs = new Map<string, { page: string } | { file: string }>();
  readonly inserted: FileEntry[] = [];
  readonly now = timestamp();
  private readonly outcomes = new Map<string, Outcome>();

  constructor(
    /** The content that is changed. */
    readonly tip: RevisionView,
    readonly sources: PageSources,
    /** Reads the revision that a page is reverted to, by its id; by default the one that the content is based on. */
    readonly earlier: (revision: string | undefined) => Promise<RevisionView>,
  ) {
    this.tree = new PageTree(tip);
  }

  insert(page: OwnFields, parent: string, at?: number): void {
    this.tree.insert({ ...page, createdAt: page.createdAt ?? this.now, updatedAt: this.now }, parent, at);
    this.note(page.id, this.tip.pageById.has(page.id) ? 'updated' : 'created');
  }

  replace(page: OwnFields): void {
    this.tree.replace({ ...page, updatedAt: this.now });
    this.note(page.id, 'updated');
  }

  move(id: string, parent: string, at?: number): void {
    this.tree.move(id, parent, at);
    const page = this.tree.page(id);
    if (page) this.tree.replace({ ...page, placed: newId() });
    this.note(id, 'updated');
  }

  remove(id: string): void {
    const gone = [...this.tree.subtreeOf(id)];
    this.tree.remove(id);
    for (const each of gone) {
      this.sources.forget(each);
      this.note(each, 'deleted');
    }
  }

  /** A page that ends as it was keeps its time. */
  settle(): void {
    for (const id of this.outcomes.keys()) {
      const [before, page] = [this.tip.pageById.get(id), this.tree.page(id)];
      if (before && page && isDeepStrictEqual(withoutTimes(before), withoutTimes(page))) this.tree.reset(id);
    }
  }

  /** The outcome for each page that was touched; pages that were made and deleted again have none. */
  *results(): Generator<[id: string, outcome: Outcome]> {
    for (const [id, outcome] of this.outcomes)
      if (outcome !== 'deleted' || this.tip.pageById.has(id)) yield [id, outcome];
  }

  private note(id: string, outcome: Outcome): void {
    const before = this.outcomes.get(id);
    this.outcomes.set(id, before === 'created' && outcome === 'updated' ? 'created' : outcome);
  }
}

const withoutTimes = ({ pages: _, updatedAt: __, ...own }: OwnFields & { pages?: unknown }) => own;
