import { FairTurns } from '../../../shared/work/fair-turns.js';

/** Limits the queries of this process to the analytics database; organizations take turns. */
export const openQueries = (): FairTurns =>
  new FairTurns({
    max: 4,
    maxOfOwner: 2,
    waiting: 20,
    busy: 'Too many queries of this organization are waiting; try again later',
  });
