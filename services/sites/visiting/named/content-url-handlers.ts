import type { Call, HandlersOf } from '../../../../shared/contract/service.js';
import { failureOf, notFound } from '../../../../shared/errors/errors.js';
import { contentContract } from '../../../content/contract.js';
import type { Page } from '../../../content/resources.js';
import type { contentUrlOperations } from '../../contract/visiting.js';
import { contentNamedBy, type NamedContent } from './content-urls.js';

type Dependencies = Parameters<typeof contentNamedBy>[0];

export const contentUrlHandlers = (deps: Dependencies): HandlersOf<typeof contentUrlOperations> => ({
  /** Whatever the caller may not read is as if it were not there. */
  async getContentByUrl({ query: { url } }, { call }) {
    const named = await contentNamedBy(deps, call, url);
    const found = named && (await foundOrNull(() => read(call, named)));
    if (!found) throw notFound('Content');
    return found;
  },
});

async function foundOrNull<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (['NOT_FOUND', 'FORBIDDEN', 'INVALID'].includes(failureOf(error).type)) return null;
    throw error;
  }
}

/** Reads what an address names, as the caller. */
async function read(call: Call, named: NamedContent) {
  if ('collection' in named)
    return { collection: await call(contentContract.getCollectionById, { path: { collectionId: named.collection } }) };
  const { space: spaceId, changeRequest: changeRequestId, page = '' } = named;
  const space = await call(contentContract.getSpaceById, { path: { spaceId } });
  if (space.deletedAt) throw notFound('Space');
  const changeRequest =
    changeRequestId === undefined
      ? undefined
      : await call(contentContract.getChangeRequestById, { path: { spaceId, changeRequestId } });
  const found = page === '' ? undefined : await readPage(call, { spaceId, changeRequestId, page });
  return { space, ...(changeRequest ? { changeRequest } : {}), ...(found ? { page: found } : {}) };
}

/** The page with a path, else the one with an id. */
async function readPage(
  call: Call,
  { spaceId, changeRequestId, page }: { spaceId: string; changeRequestId: string | undefined; page: string },
): Promise<Page> {
  const byPath = { spaceId, pagePath: page };
  const byId = { spaceId, pageId: page };
  const found = await foundOrNull(() =>
    changeRequestId === undefined
      ? call(contentContract.getPageByPath, { path: byPath, query: {} })
      : call(contentContract.getPageInChangeRequestByPath, { path: { ...byPath, changeRequestId }, query: {} }),
  );
  if (found) return found;
  return changeRequestId === undefined
    ? call(contentContract.getPageById, { path: byId, query: {} })
    : call(contentContract.getPageInChangeRequestById, { path: { ...byId, changeRequestId }, query: {} });
}
