import { question, verb } from '../../../../../shared/contract/verb.js';
import type { Problem } from '../../imports/problems.js';
import type { HistoryIds } from './checked-history.js';
import type { TakeSpace } from './take-space.js';
import type { TakeSpec } from './take-spec.js';

// Called in the process that has the archive open, never over the bus.

/** Has a space of an archive stored with its content. Answers what the import warned of; nothing for one that is there already. */
export const takeArchivedSpace = verb<TakeSpace, Problem[]>('content', 'takeArchivedSpace');

/** Has an OpenAPI specification of an archive stored, with its latest version. */
export const takeArchivedSpec = verb<TakeSpec, void>('content', 'takeArchivedSpec');

/** Asks which of these spaces and specifications another organization has. */
export const findForeignContent = question<{ organization: string; spaces: string[]; specs: string[] }, string[]>(
  'content',
  'findForeignContent',
);

/** Asks which of the revisions and change requests that the history of a space names belong to another space. */
export const findForeignHistory = question<HistoryIds, string[]>('content', 'findForeignHistory');
