import { type Implementation, implementVerb } from '../../../../shared/contract/service.js';
import type { HasStore } from '../../../../shared/store/port.js';
import type { HasTrees } from '../../core/access/tree/content-tree-cache.js';
import { isFavourite, listVisits, noteVisit, setFavourite } from '../contract/visits.js';
import { isFavouriteOf, listVisitsOf, noteVisitOf, setFavouriteOf } from './visits.js';

/** The verbs about what users read. `writable` throws while nothing may be added to the store. */
export const visitVerbs = (deps: HasStore & HasTrees, writable: () => void): Implementation[] => [
  implementVerb(noteVisit, async (parameters, { caller }) => {
    writable();
    await noteVisitOf(deps, parameters, caller);
  }),
  implementVerb(setFavourite, async (parameters, { caller }) => {
    writable();
    await setFavouriteOf(deps, parameters, caller);
  }),
  implementVerb(listVisits, (parameters, { caller }) => listVisitsOf(deps, parameters, caller)),
  implementVerb(isFavourite, (parameters, { caller }) => isFavouriteOf(deps, parameters, caller)),
];
