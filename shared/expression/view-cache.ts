import { LRUCache } from 'lru-cache';
import { apiError } from '../errors/errors.js';
import { FairQueue } from '../work/fair-queue.js';
import { eachInSlices } from '../work/slices.js';
import { conditionHolds } from './evaluate.js';
import { sharedBudget } from './values.js';
import type { Visitor } from './visitor.js';

/** A condition on a part of something that visitors see. */
export interface Condition {
  text: string;
  /** Variables of the page that carries it. */
  vars?: Record<string, unknown> | undefined;
}

export interface Viewed<V> {
  /** Names what is viewed and its version: a view of another version is another view. */
  version: string;
  conditions: Condition[];
  /** Variables of the space. */
  vars?: Record<string, unknown> | undefined;
  visitor: Visitor;
  /** Makes the view without the parts whose conditions, by their index, do not hold. */
  without(hidden: ReadonlySet<number>): V | Promise<V>;
}

export interface ViewCacheOptions<V> {
  /** Bound of the sizes of all views together, in bytes. */
  maxSize: number;
  sizeOf(view: V): number;
}

/** Visitors of one version that may wait. */
const maxWaiting = 200;
/** Characters. */
const maxRemembered = 20_000_000;

/** Keeps what visitors see of versioned things. Visitors for whom the same conditions hold share one view. */
export class ViewCache<V extends object> {
  /** A sign for each condition, 1 where it holds, by version and visitor. */
  private readonly holding = new LRUCache<string, string>({
    maxSize: maxRemembered,
    sizeCalculation: ({ length }) => length + 200,
  });
  private readonly views: LRUCache<string, V>;
  /** Visitors whose conditions are evaluated after those of others: one after the other, and versions take turns. */
  private readonly waiting = new FairQueue<() => void>();
  private evaluating = false;

  constructor({ maxSize, sizeOf }: ViewCacheOptions<V>) {
    this.views = new LRUCache({ maxSize, sizeCalculation: sizeOf });
  }

  /** Returns the view of a visitor. Throws 503 while too many others wait for theirs. */
  async viewForVisitor(viewed: Viewed<V>): Promise<V> {
    const holding = await this.conditionsHolding(viewed);
    const key = `${viewed.version} ${holding}`;
    const known = this.views.get(key);
    if (known) return known;
    const view = await viewed.without(new Set([...holding].flatMap((sign, at) => (sign === '0' ? [at] : []))));
    this.views.set(key, view);
    return view;
  }

  private async conditionsHolding(viewed: Viewed<V>): Promise<string> {
    if (viewed.conditions.length === 0) return '';
    const key = `${viewed.version} ${viewed.visitor.key}`;
    const known = this.holding.get(key);
    if (known !== undefined) return known;
    return this.runInTurn(viewed.version, async () => {
      const holding = this.holding.get(key) ?? (await evaluateConditions(viewed));
      this.holding.set(key, holding);
      return holding;
    });
  }

  private async runInTurn<T>(owner: string, act: () => Promise<T>): Promise<T> {
    if (this.evaluating) {
      if (this.waiting.sizeOf(owner) >= maxWaiting)
        throw apiError('UNAVAILABLE', 'Too many visitors with new claims at once; try again later', 'busy');
      await new Promise<void>((resolve) => this.waiting.add({ owner }, resolve));
    }
    this.evaluating = true;
    try {
      return await act();
    } finally {
      const next = this.waiting.take(() => true);
      this.evaluating = next !== undefined;
      next?.();
    }
  }
}

/** Equal questions are asked once. */
async function evaluateConditions({ conditions, vars = {}, visitor: { claims } }: Viewed<object>): Promise<string> {
  const answers = new Map<string, string>();
  const budget = sharedBudget();
  let holding = '';
  await eachInSlices(conditions, ({ text, vars: own }) => {
    const question = own ? JSON.stringify([text, own]) : text;
    let answer = answers.get(question);
    if (answer === undefined) {
      const inputs = { visitor: { claims }, space: { vars }, page: { vars: own ?? {} } };
      answer = conditionHolds(text, inputs, budget) ? '1' : '0';
      answers.set(question, answer);
    }
    holding += answer;
  });
  return holding;
}
