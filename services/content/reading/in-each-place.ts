import type { Context, HandlersOf } from '../../../shared/contract/service.js';
import { versionOfPage } from '../../../shared/paging.js';
import { type readingOperations, reads } from '../contract/reading.js';
import { contentContract } from '../contract.js';
import { openReading, type PlacePath, type Reading } from './reading.js';

type Operations = HandlersOf<typeof contentContract, typeof readingOperations>;
type Reads = typeof reads;
type Placed = Pick<Operations, Reads[keyof Reads]['ids'][keyof Reads[keyof Reads]['ids']]>;
type Current<N extends keyof Reads> = Placed[Reads[N]['ids']['current']];

/** A handler for everything that is read in each place: it gets what it reads from. */
export type ReadHandlers = {
  [N in keyof Reads]: (request: Parameters<Current<N>>[0], reading: Reading) => ReturnType<Current<N>>;
};

interface ReadRequest {
  path: PlacePath;
  query: { page?: string };
}
type ReadHandler = (request: ReadRequest, reading: Reading) => Promise<unknown>;

/** The handlers of the operations that read in each place. */
export function inEachPlace(deps: Parameters<typeof openReading>[0], handlers: ReadHandlers): Placed {
  const all = Object.entries(reads).flatMap(([name, { ids }]) => {
    const handler = handlers[name as keyof Reads] as ReadHandler;
    return Object.values(ids).map((id) => {
      const immutable = contentContract[id].cache === 'immutable';
      const handle = async (request: ReadRequest, context: Context) => {
        const { path, query } = request;
        return handler(
          request,
          await openReading(deps, { path, started: versionOfPage(query.page), immutable }, context),
        );
      };
      return [id, handle];
    });
  });
  return Object.fromEntries(all) as Placed;
}
