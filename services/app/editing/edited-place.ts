import { missesRight } from '../../../shared/contract/access.js';
import { forbidden, notFound } from '../../../shared/errors/errors.js';
import { contentContract } from '../../content/contract.js';
import { spaceKind } from '../../content/resources.js';
import type { ScreenRequest } from '../frame/screen.js';
import { isWritable, numberedPlace, type Place } from '../reading/places.js';
import type { Words } from '../words/words.js';

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
export async function editedPlace({ call }: Asking, path: WrittenPath): Promise<Place> {
  const place = await numberedPlace({ call, path });
  if (!place.space.permissions.edit) throw missesRight('edit', spaceKind);
  return place;
}

/** The place, where the person may change it. Throws 404 or 403: also for a space that is locked, and for a change request that is closed. */
export async function writablePlace(
  { call, words }: Pick<ScreenRequest, 'call' | 'words'>,
  path: WrittenPath,
): Promise<Place> {
  const place = await numberedPlace({ call, path });
  if (!place.space.permissions.edit) throw forbidden(words.tree.notAllowed);
  if (!isWritable(place)) throw forbidden(refusalWords(words, place));
  return place;
}

/** Says why nobody may write to a place: the space is locked, or the change request is closed. */
export const refusalWords = ({ tree }: Words, { changeRequest }: Place): string =>
  changeRequest ? tree.notWritable : tree.locked;

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
