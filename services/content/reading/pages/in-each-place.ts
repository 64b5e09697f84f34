import type { Context, HandlersOf } from '../../../../shared/contract/service.js';
import { versionOfPage } from '../../../../shared/paging.js';
import { contentContract } from '../../contract.js';
import { type pageOperations, reads } from '../contract/pages.js';
import { openReading, type PlacePath, type Reading } from './reading.js';

type Operations = HandlersOf<typeof pageOperations>;
type Reads = typeof reads;
type Placed = Pick<Operations, keyof Reads | IdsOf<keyof Reads>>;
type IdsOf<N extends keyof Reads> = Reads[N]['ids'][keyof Reads[N]['ids']];

/** A handler for each thing that is read in each place, by its operationId for the current content. */
export type ReadHandlers = {
  [N in keyof Reads]: (request: Parameters<Operations[N]>[0], reading: Reading) => ReturnType<Operations[N]>;
};

interface ReadRequest {
  path: PlacePath;
  query: { page?: string };
}
type ReadHandler = (request: ReadRequest, reading: Reading) => Promise<unknown>;

/** The handlers of the operations that read in each place. */
export function inEachPlace(deps: Parameters<typeof openReading>[0], handlers: ReadHandlers): Placed {
  const all = Object.entries(reads).flatMap(([current, { ids }]) => {
    const handler = handlers[current as keyof Reads] as ReadHandler;
    return [current as keyof Reads, ...Object.values(ids)].map((id) => {
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
