import { question } from './verb.js';

/** How much of one kind is stored of an organization, and what may be. */
export interface StoredKind {
  kind: 'answers' | 'comments' | 'tasks' | 'events' | 'deliveries';
  unit: 'bytes' | 'items';
  used: number;
  /** 0: no limit. */
  limit: number;
}

/** What a service stores of an organization besides content. */
export const usageOf = (service: string) => question<{ organization: string }, StoredKind[]>(service, 'usage');
