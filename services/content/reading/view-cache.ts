import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { notFound } from '../../../shared/errors.js';
import { conditionHolds } from '../../../shared/expression/evaluate.js';
import { inputsOf, sharedBudget } from '../page-work/expression-inputs.js';
import type { RevisionCache } from '../revisions/revision-cache.js';
import { type PageEntry, type RevisionView, withPages } from '../revisions/revision-view.js';
import type { Visitor } from './visitor.js';

/** Conditions evaluated before the event loop gets a turn. */
const evaluatedAtOnce = 200;

/** Revisions as a visitor sees them; without a visitor, as they are. */
export class ViewCache {
  /** Which conditions of a revision hold, by revision and visitor. */
  private readonly holding = new LRUCache<string, string>({
    maxSize: 20_000_000,
    sizeCalculation: ({ length }) => length + 200,
  });
  /** By revision and the conditions that hold: visitors for whom the same ones hold see the same. */
  private readonly views = new LRUCache<string, RevisionView>({
    maxSize: 100_000,
    sizeCalculation: (view) => 1 + view.pageById.size,
  });

  constructor(private readonly revisions: RevisionCache) {}

  async current(space: string, visitor?: Visitor): Promise<RevisionView> {
    return this.viewFor(await this.revisions.current(space), visitor);
  }

  /** A visitor reads the current revision and the one before it: older ones may hold content that was taken down. */
  async get(space: string, id: string, visitor?: Visitor): Promise<RevisionView> {
    if (!visitor) return this.revisions.get(space, id);
    const { revision } = await this.revisions.current(space);
    if (id !== revision._id && !revision.parents.includes(id)) throw notFound('Revision');
    return this.viewFor(await this.revisions.get(space, id), visitor);
  }

  /** Any revision of the space, also for a visitor; undefined when there is none. */
  async any(space: string, id: string, visitor?: Visitor): Promise<RevisionView | undefined> {
    const view = await this.revisions.find(space, id);
    return view && this.viewFor(view, visitor);
  }

  private async viewFor(view: RevisionView, visitor: Visitor | undefined): Promise<RevisionView> {
    if (!visitor || view.conditional.length === 0) return view;
    const holding = await this.holdingFor(view, visitor);
    if (!holding.includes('0')) return view;
    const key = `${view.revision._id} ${holding}`;
    const known = this.views.get(key);
    if (known) return known;
    const hidden = new Set(view.conditional.filter((_, at) => holding[at] === '0'));
    const reduced = withPages(view, without(view.pages, hidden));
    this.views.set(key, reduced);
    return reduced;
  }

  /** One digit for each page with a condition: 1 where it holds. */
  private async holdingFor({ revision, conditional }: RevisionView, { claims, key }: Visitor): Promise<string> {
    const name = `${revision._id} ${key}`;
    const known = this.holding.get(name);
    if (known !== undefined) return known;
    const answers = new Map<string, boolean>();
    const budget = sharedBudget();
    let holding = '';
    for (const { condition = '', variables } of conditional) {
      const question = variables ? JSON.stringify([condition, variables]) : condition;
      let answer = answers.get(question);
      if (answer === undefined) {
        if (answers.size % evaluatedAtOnce === evaluatedAtOnce - 1) await setImmediate();
        answer = conditionHolds(condition, inputsOf(claims, revision.variables, variables), budget);
        answers.set(question, answer);
      }
      holding += answer ? '1' : '0';
    }
    this.holding.set(name, holding);
    return holding;
  }
}

/** Leaves out the hidden pages with everything below them. */
const without = (pages: PageEntry[], hidden: ReadonlySet<PageEntry>): PageEntry[] =>
  pages
    .filter((page) => !hidden.has(page))
    .map((page) => (page.pages.length === 0 ? page : { ...page, pages: without(page.pages, hidden) }));
