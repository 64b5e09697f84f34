import { rateLimited } from '../../../../shared/errors/errors.js';
import type { Config } from '../../../../shared/settings/config.js';
import type { Store } from '../../../../shared/store/port.js';
import { sha256, timestamp } from '../../../../shared/values/ids.js';
import { modelUses } from './model.js';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

type Limits = Pick<Config, 'MODEL_TOKENS_PER_DAY' | 'MODEL_QUESTIONS_PER_HOUR'>;

/** Notes how many of the tokens that were taken were used. */
export type Settle = (used: number) => Promise<void>;

interface Count {
  organization: string;
  /** Names it, with the organization and the time. */
  of: string;
  amount: number;
  spanMs: number;
  max: number;
  message: string;
}

/** Bounds what organizations and those who ask use of the model, in all processes together. */
export class Allowance {
  constructor(
    private readonly store: Store,
    private readonly limits: Limits,
    private readonly now: () => number = Date.now,
  ) {}

  /** Counts a question of an asker. Throws 429 for one too many. */
  async countQuestion(organization: string, asker: string): Promise<void> {
    const { MODEL_QUESTIONS_PER_HOUR: max } = this.limits;
    await this.store.deleteMany(modelUses, { expiresAt: { $lte: timestamp(new Date(this.now())) } });
    const message = `More than ${max} questions in an hour`;
    await this.count({ organization, of: `questions ${asker}`, amount: 1, spanMs: hourMs, max, message });
  }

  /** Takes tokens of the organization's day before they are used, so that requests at once do not use more. Throws 429 where too few are left. */
  async takeTokens(organization: string, amount: number): Promise<Settle> {
    const { MODEL_TOKENS_PER_DAY: max } = this.limits;
    const message = 'The organization has used its tokens of today';
    const id = await this.count({ organization, of: 'tokens', amount, spanMs: dayMs, max, message });
    return async (used) => {
      await this.store.updateMany(modelUses, { _id: id }, { $inc: { used: used - amount } });
    };
  }

  /** The tokens that an organization has used or taken today. */
  async usedTokens(organization: string): Promise<number> {
    const { id } = this.spanOf({ organization, of: 'tokens', spanMs: dayMs });
    return (await this.store.get(modelUses, id))?.used ?? 0;
  }

  private spanOf({ organization, of, spanMs }: Pick<Count, 'organization' | 'of' | 'spanMs'>) {
    const span = Math.floor(this.now() / spanMs);
    return { id: sha256(`${organization} ${of} ${span}`), ends: (span + 1) * spanMs };
  }

  private async count({ amount, max, message, ...count }: Count): Promise<string> {
    const { organization } = count;
    const { id: _id, ends } = this.spanOf(count);
    const expiresAt = timestamp(new Date(ends + hourMs));
    await this.store.upsert(modelUses, { _id }, { $setOnInsert: { organization, expiresAt }, $inc: { used: 0 } });
    const room = max === 0 ? {} : { used: { $lte: max - amount } };
    if (!(await this.store.update(modelUses, { _id, ...room }, { $inc: { used: amount } })))
      throw rateLimited(message, ends - this.now(), 'model_limit_reached');
    return _id;
  }
}

export type HasAllowance = { allowance: Allowance };
