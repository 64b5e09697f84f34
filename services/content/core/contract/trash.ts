import { question } from '../../../../shared/contract/verb.js';

/** A space in the trash. */
export interface DeletedSpace {
  id: string;
  title: string;
  emoji?: string;
  deletedAt: string;
  /** When it is removed for good. */
  purgedAt: string;
}

/** The deleted spaces of an organization that the caller may restore: at most 1,000, those deleted last first. */
export const listDeletedSpaces = question<{ organization: string }, DeletedSpace[]>('content', 'listDeletedSpaces');
