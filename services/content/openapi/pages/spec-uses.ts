import type { Jobs } from '../../../../shared/jobs/jobs.js';
import { collection, type Write, write } from '../../../../shared/store/port.js';
import { refreshLater } from '../specs/dependents.js';

/** Records that a space has pages made from a specification, or had some earlier. */
export interface SpecUseDocument {
  /** `<space>:<slug of the specification>` */
  _id: string;
  space: string;
  organization: string;
  /** The slug. */
  spec: string;
}

export const specUses = collection<SpecUseDocument>('content_spec_uses', [
  { on: { organization: 1, spec: 1 } },
  { on: { space: 1 } },
]);

/** The writes that have the pages made again when their specification changes, and now: it may have changed since they were made. */
export const specUseWrites = (jobs: Jobs, use: Omit<SpecUseDocument, '_id'>): Write[] => [
  write.upsert(specUses, { _id: `${use.space}:${use.spec}` }, { $setOnInsert: use }),
  refreshLater(jobs, { organization: use.organization, slug: use.spec }),
];
