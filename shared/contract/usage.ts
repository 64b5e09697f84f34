import { question } from './verb.js';

/** The amount of one kind that is stored of an organization, and its limit. */
export interface StoredKind {
  kind: 'answers' | 'comments' | 'tasks' | 'events' | 'deliveries';
  unit: 'bytes' | 'items';
  used: number;
  /** 0: no limit. */
  limit: number;
}

/** Asks a service how much it stores of an organization besides content. */
export const usageQuestion = (service: string) => question<{ organization: string }, StoredKind[]>(service, 'usage');
