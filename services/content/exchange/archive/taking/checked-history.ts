import { failureOf } from '../../../../../shared/errors/errors.js';
import { refusal } from '../../conversion/refused.js';
import { contentFolder, historyFile, spaceFolder, spaceLists } from '../entries/space-files.js';
import { type HistoryState, type OpenedHistory, runWithHistory } from '../history/open-history.js';
import type { ArchiveFile } from './archive-file.js';
import { type ArchivedContent, readArchivedContent } from './archived-space.js';
import { archivedOid } from './archived-tree.js';

export interface HistorySource {
  archive: ArchiveFile;
  /** The id of the space. */
  space: string;
  scratchDir: string;
  signal: AbortSignal;
}

/** The ids that a history names, none of which another space may have. */
export interface HistoryIds {
  space: string;
  revisions: string[];
  changeRequests: string[];
}

const nameOf = (space: string): string => spaceFolder(space) + historyFile;

/** Whether an archive has the history of a space. Those made before histories were in them do not. */
export const hasHistory = (archive: ArchiveFile, space: string): boolean => archive.sizes.has(nameOf(space));

/** Opens the history of a space. Throws 422 with what is wrong. */
export async function runWithArchivedHistory<T>(
  { archive, space, scratchDir, signal }: HistorySource,
  run: (history: OpenedHistory) => Promise<T>,
): Promise<T> {
  const name = nameOf(space);
  return runWithHistory({ name, bundle: await archive.open(name), scratchDir, signal }, run);
}

/** Bytes of a list: git reads it whole. */
const maxListBytes = 100_000_000;

/** Reads the lists of a revision of a history. Throws 422 with the commit and what is wrong. */
export async function readHistoryContent(space: string, state: HistoryState): Promise<ArchivedContent> {
  const missing = spaceLists.find((path) => !state.oids.has(path));
  if (missing) throw commitRefusal(space, state, `${missing}: is missing`);
  const large = spaceLists.find((path) => (state.sizes.get(path) as number) > maxListBytes);
  if (large) throw commitRefusal(space, state, `${large}: has more than ${maxListBytes} bytes`);
  try {
    return await readArchivedContent(state, '');
  } catch (error) {
    if (failureOf(error).type !== 'UNPROCESSABLE') throw error;
    throw commitRefusal(space, state, (error as Error).message);
  }
}

const commitRefusal = (space: string, { commit }: HistoryState, problem: string): Error =>
  refusal(`${nameOf(space)}: commit ${commit}: ${problem}`);

/** Checks all of a history; its last revision holds the same as the folder of the space. Throws 422 with what is wrong. */
export async function checkHistory(source: HistorySource): Promise<HistoryIds> {
  const { archive, space, signal } = source;
  return runWithArchivedHistory(source, async ({ revisions, states }) => {
    let last: HistoryState | undefined;
    for (const state of states()) {
      signal.throwIfAborted();
      await readHistoryContent(space, state);
      last = state;
    }
    if (last) await checkLast(archive, space, last);
    const changeRequests = revisions.flatMap(({ mergedFrom }) => mergedFrom ?? []);
    return { space, revisions: revisions.map(({ id }) => id), changeRequests: [...new Set(changeRequests)] };
  });
}

async function checkLast(archive: ArchiveFile, space: string, state: HistoryState): Promise<void> {
  const at = spaceFolder(space);
  const left = new Set(state.oids.keys());
  for (const path of archive.sizes.keys()) {
    const own = path.startsWith(at) ? path.slice(at.length) : '';
    if (!own.startsWith(contentFolder) && !spaceLists.includes(own)) continue;
    if (state.oids.get(own) !== (await archivedOid(archive, path)))
      throw commitRefusal(space, state, `the last commit must hold the same as ${at}: ${own} differs`);
    left.delete(own);
  }
  const [more] = left;
  if (more !== undefined)
    throw commitRefusal(space, state, `the last commit must hold the same as ${at}: ${more} is not there`);
}
