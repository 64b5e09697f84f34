import type { Request } from '../../../shared/contract/operation.js';
import { contentContract } from '../../content/contract.js';
import type { FileResource, Page } from '../../content/resources.js';
import type { ScreenRequest } from '../frame/screen.js';
import type { Place } from '../reading/places.js';

type Asking = Pick<ScreenRequest, 'call'>;

export const revisionOf = ({ space, changeRequest }: Place): string => (changeRequest ?? space).revision;

/** Computed pages stand as their authors wrote them. */
const asWritten = { metadata: false, computed: false };

/** Pages that the screen shows; the public API has no bound for them. */
export async function pagesOf({ call }: Asking, { space, changeRequest }: Place): Promise<Page[]> {
  const answer = changeRequest
    ? call(contentContract.listPagesInChangeRequest, {
        path: { spaceId: space.id, changeRequestId: changeRequest.id },
        query: asWritten,
      })
    : call(contentContract.listPages, { path: { spaceId: space.id }, query: asWritten });
  return (await answer).pages;
}

/** The source of a page, with its front matter. */
export async function sourceOf({ call }: Asking, { space, changeRequest }: Place, pageId: string): Promise<string> {
  const query = { ...asWritten, format: 'source' as const };
  const page = await (changeRequest
    ? call(contentContract.getPageInChangeRequestById, {
        path: { spaceId: space.id, changeRequestId: changeRequest.id, pageId },
        query,
      })
    : call(contentContract.getPageById, { path: { spaceId: space.id, pageId }, query }));
  return page.source ?? '';
}

const filesAtOnce = 50;

export async function filesOf(
  { call }: Asking,
  { space, changeRequest }: Place,
  page: string | undefined,
): Promise<{ items: FileResource[]; next?: { page: string } | undefined }> {
  const query = { limit: filesAtOnce, ...asWritten, ...(page === undefined ? {} : { page }) };
  return changeRequest
    ? call(contentContract.listFilesInChangeRequestById, {
        path: { spaceId: space.id, changeRequestId: changeRequest.id },
        query,
      })
    : call(contentContract.listFiles, { path: { spaceId: space.id }, query });
}

type Body = Request<typeof contentContract.updateSpaceContent>['body'];

/** Changes the content of a place. With the revision that the writer saw: 409 where a page is different by now. */
export async function writeTo({ call }: Asking, { space, changeRequest }: Place, body: Body): Promise<void> {
  if (changeRequest) {
    const path = { spaceId: space.id, changeRequestId: changeRequest.id };
    await call(contentContract.updateChangeRequestContent, { path, query: {}, body });
  } else await call(contentContract.updateSpaceContent, { path: { spaceId: space.id }, body });
}
