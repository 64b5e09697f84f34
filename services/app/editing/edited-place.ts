import { missesRight } from '../../../shared/contract/access.js';
import { notFound } from '../../../shared/errors/errors.js';
import { contentContract, readSource } from '../../content/contract.js';
import { spaceKind } from '../../content/resources.js';
import type { ScreenRequest } from '../frame/screen.js';
import { changePlace, type Place, spacePlace } from '../reading/places.js';

type Asking = Pick<ScreenRequest, 'call'>;

/** Names a place that is written: a change request by its number or id; without one, the live content. */
export interface WrittenPath {
  space: string;
  number?: string;
}

/** The parameters that content knows a place by. */
export const targetOf = ({ space, number }: WrittenPath) => ({
  space,
  ...(number === undefined ? {} : { changeRequest: number }),
});

/** The place, for somebody who may edit the space. Throws 404 or 403. */
export async function editedPlace(asking: Asking, { space, number }: WrittenPath): Promise<Place> {
  const place = number === undefined ? await spacePlace(asking, space) : await changePlace(asking, space, number);
  if (!place.space.permissions.edit) throw missesRight('edit', spaceKind);
  return place;
}

interface SavedPage {
  page: string;
  markdown: string;
  /** The content that the writer began with. */
  revision: string;
}

/** Saves a page byte for byte; answers its source as it is now. Throws 409 where others changed it since the writer began. */
export async function savePage({ call }: Asking, path: WrittenPath, { page, markdown, revision }: SavedPage) {
  const { space: spaceId, number } = path;
  const changes = [{ operation: 'update_page' as const, page, document: { markdown, exact: true } }];
  const body = { changes, revision };
  if (number === undefined) await call(contentContract.updateSpaceContent, { path: { spaceId }, body });
  else
    await call(contentContract.updateChangeRequestContent, {
      path: { spaceId, changeRequestId: number },
      query: { compat: true },
      body,
    });
  return call(readSource, { ...targetOf(path), page });
}

interface GivenFile {
  name: string;
  contentType: string;
  bytes: Buffer;
}

/** Inserts a file; answers its id. */
export async function insertFile({ call }: Asking, path: WrittenPath, file: GivenFile): Promise<string> {
  const { space: spaceId, number } = path;
  const { name, contentType, bytes } = file;
  const files = [{ name, contentType, base64: bytes.toString('base64') }];
  const body = { changes: [{ operation: 'insert_files' as const, files }] };
  if (number !== undefined) {
    const about = { path: { spaceId, changeRequestId: number }, query: { compat: false }, body };
    const answer = await call(contentContract.updateChangeRequestContent, about);
    return idOf('insertedFiles' in answer ? answer.insertedFiles?.[0]?.id : undefined);
  }
  const { files: all } = await call(contentContract.updateSpaceContent, { path: { spaceId }, body });
  return idOf(all.at(-1)?.id);
}

function idOf(id: string | undefined): string {
  if (id === undefined) throw notFound('File');
  return id;
}
