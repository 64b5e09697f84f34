import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { notFound } from '../../shared/errors.js';
import { conditionHolds } from '../../shared/expression/evaluate.js';
import { type Audience, inputsOf, sharedBudget } from './conditions.js';
import { type PageEntry, type Revisions, type RevisionView, withPages } from './revisions.js';

/** Then others get their turn. */
const askedAtOnce = 200;

/** Revisions as an audience sees them; without one, as they are. */
export class VisitorViews {
  /** Which conditions of a revision hold, by revision and audience. */
  private readonly holding = new LRUCache<string, string>({
    maxSize: 20_000_000,
    sizeCalculation: ({ length }) => length + 200,
  });
  /** By revision and the conditions that hold: whoever they hold for sees the same. */
  private readonly views = new LRUCache<string, RevisionView>({
    maxSize: 100_000,
    sizeCalculation: (view) => 1 + view.pageById.size,
  });

  constructor(private readonly revisions: Revisions) {}

  async current(space: string, audience?: Audience): Promise<RevisionView> {
    return this.seenBy(await this.revisions.current(space), audience);
  }

  /** An audience reads what is current and what that replaced: older revisions may hold what was taken down. */
  async get(space: string, id: string, audience?: Audience): Promise<RevisionView> {
    if (!audience) return this.revisions.get(space, id);
    const { revision } = await this.revisions.current(space);
    if (id !== revision._id && !revision.parents.includes(id)) throw notFound('Revision');
    return this.seenBy(await this.revisions.get(space, id), audience);
  }

  /** Any revision of the space, for those who lead visitors there; undefined when it is not there. */
  async any(space: string, id: string, audience?: Audience): Promise<RevisionView | undefined> {
    const view = await this.revisions.find(space, id);
    return view && this.seenBy(view, audience);
  }

  private async seenBy(view: RevisionView, audience: Audience | undefined): Promise<RevisionView> {
    if (!audience || view.conditional.length === 0) return view;
    const holding = await this.holdingFor(view, audience);
    if (!holding.includes('0')) return view;
    const key = `${view.revision._id} ${holding}`;
    const known = this.views.get(key);
    if (known) return known;
    const hidden = new Set(view.conditional.filter((_, at) => holding[at] === '0'));
    const seen = withPages(view, without(view.pages, hidden));
    this.views.set(key, seen);
    return seen;
  }

  /** A sign for each page with a condition: 1 where it holds. */
  private async holdingFor({ revision, conditional }: RevisionView, { claims, key }: Audience): Promise<string> {
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
        if (answers.size % askedAtOnce === askedAtOnce - 1) await setImmediate();
        answer = conditionHolds(condition, inputsOf(claims, revision.variables, variables), budget);
        answers.set(question, answer);
      }
      holding += answer ? '1' : '0';
    }
    this.holding.set(name, holding);
    return holding;
  }
}

/** With a page goes what hangs on it. */
const without = (pages: PageEntry[], hidden: ReadonlySet<PageEntry>): PageEntry[] =>
  pages
    .filter((page) => !hidden.has(page))
    .map((page) => (page.pages.length === 0 ? page : { ...page, pages: without(page.pages, hidden) }));
