import { type HandlersAt, joinHandlers } from '../../../../shared/contract/at-places.js';
import type { Context, HandlersOf } from '../../../../shared/contract/service.js';
import { versionOfPage } from '../../../../shared/lists/paging.js';
import { reads } from '../contract/pages.js';
import { openReading, type PlacePath, type Reading } from './reading.js';

/** A handler for each thing that is read in each place, by its operationId for the current content. */
export type ReadHandlers = HandlersAt<typeof reads, Reading>;

type Name = keyof ReadHandlers;
type Place = Parameters<ReadHandlers[Name]>[2];

interface ReadRequest {
  path: PlacePath;
  query: { page?: string };
}

/** The handlers of the operations that read in each place. */
export function inEachPlace(
  deps: Parameters<typeof openReading>[0],
  handlers: ReadHandlers,
): HandlersOf<typeof reads.operations> {
  const opening = Object.entries(handlers).map(([name, handler]) => {
    const { ids } = reads.declarations[name as Name];
    const handle = async (request: ReadRequest, context: Context, place: Place) => {
      const { path, query } = request;
      const immutable = reads.operations[ids[place]].cache === 'immutable';
      const started = versionOfPage(query.page);
      return handler(request as never, await openReading(deps, { path, started, immutable }, context), place);
    };
    return [name, handle];
  });
  return joinHandlers(reads, Object.fromEntries(opening));
}
