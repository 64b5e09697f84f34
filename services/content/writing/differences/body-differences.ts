import type { HasStore } from '../../../../shared/store/port.js';
import { sha256 } from '../../../../shared/values/ids.js';
import { KeyedCache } from '../../../../shared/work/keyed-cache.js';
import { isTooMuch } from '../../../../shared/workers/workers.js';
import type { BodyDifference } from '../../format/differences/difference.js';
import type { HasWork } from '../../format/workers/page-work.js';
import type { Presentation } from '../../reading/pages/pages.js';
import { gatherBody, type ShownSource } from '../../reading/showing/body-parts.js';
import type { BothViews } from './compared-views.js';

/** Bytes of all kept differences together. */
const maxKeptBytes = 32 * 1024 * 1024;
/** Milliseconds after which bodies that took too much are compared again. */
const retryMs = 60_000;

/** A body on both sides; one of them may lack it. */
export interface BothSources {
  /** Names it among those of the space. */
  name: string;
  earlier: ShownSource | undefined;
  later: ShownSource | undefined;
}

const lengthOf = (difference: BodyDifference): number =>
  difference.form === 'tooLarge'
    ? 0
    : difference.parts.reduce(
        (sum, part) => sum + 100 + ('html' in part ? part.html.length : part.before.length + part.after.length),
        0,
      );

/** Keeps the differences between bodies by their revisions: they never go stale. */
export class BodyDifferences {
  private readonly kept = new KeyedCache<BodyDifference>({
    maxSize: maxKeptBytes,
    sizeOf: (difference) => 2 * lengthOf(difference) + 500,
  });

  constructor(private readonly deps: HasStore & HasWork & Pick<Presentation, 'links'>) {}

  /** The difference between two bodies: by blocks, by lines where that takes too much, and none where this does as well. */
  differenceOf({ before, after }: BothViews, sources: BothSources, organization: string): Promise<BodyDifference> {
    const { name, earlier, later } = sources;
    return this.kept.get(`${before.revision._id} ${after.revision._id} ${name}`, async (keepFor) => {
      const [was, is] = await Promise.all([
        earlier && gatherBody(this.deps, { view: before, page: earlier }),
        later && gatherBody(this.deps, { view: after, page: later }),
      ]);
      const bodies = { before: was?.reading, after: is?.reading, names: `${sha256(name).slice(0, 6)}-` };
      try {
        return await this.deps.work.difference(bodies, organization);
      } catch (error) {
        if (!isTooMuch(error)) throw error;
        keepFor(retryMs);
        const texts = { before: was?.reading.source ?? '', after: is?.reading.source ?? '' };
        return this.deps.work.lineDifference(texts, organization).catch(withoutParts);
      }
    });
  }
}

function withoutParts(error: unknown): BodyDifference {
  if (!isTooMuch(error)) throw error;
  return { form: 'tooLarge' };
}

export type HasDifferences = { differences: BodyDifferences };
