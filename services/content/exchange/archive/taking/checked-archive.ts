import { createHash } from 'node:crypto';
import { z } from 'zod';
import {
  type ArchiveList,
  type ArchiveName,
  type DescribedFile,
  maxArchiveLines,
} from '../../../../../shared/contract/archive.js';
import { refusal } from '../../conversion/refused.js';
import { archivedId } from '../archived-fields.js';
import { formatVersion } from '../entries/archive-entries.js';
import { contentFolder, historyFile, spaceFolder } from '../entries/space-files.js';
import { sumsFile } from '../entries/sums.js';
import { type ArchiveFile, openArchive, quotedPath, throwDamaged } from './archive-file.js';
import { eachLineOf, eachTextLine, readBytes, readShaped } from './archive-lines.js';
import { readArchivedSpace, spaceFiles } from './archived-space.js';
import { type ArchivedSpec, readArchivedSpecs, specsFile, specVersionFile } from './archived-specs.js';
import { checkHistory, type HistoryIds, type HistorySource, hasHistory } from './checked-history.js';

/** An archive that is whole, and right as far as can be known before it is imported. */
export interface CheckedArchive {
  file: ArchiveFile;
  organization: string;
  /** The hash of its content. */
  sum: string;
  specs: ArchivedSpec[];
  /** The ids of its spaces. */
  spaces: string[];
  /** The ids that the histories of its spaces name. */
  histories: HistoryIds[];
}

export interface CheckingArchive {
  path: string;
  lists: readonly List[];
  /** Where files may be written meanwhile. */
  scratchDir: string;
  signal: AbortSignal;
}

type List = Pick<ArchiveList<never>, 'file' | 'line' | 'names' | 'unique' | 'files' | 'idOf' | 'nameOf'>;

/** Opens an archive and checks all of it; nothing is written. `lists`: those of all services. Throws 422 with the file and line of what is wrong. */
export async function openCheckedArchive({
  path,
  lists,
  scratchDir,
  signal,
}: CheckingArchive): Promise<CheckedArchive> {
  const file = await openArchive(path);
  try {
    const organization = await readFormat(file);
    const sum = await checkSums(file);
    const places = placesOf(file, lists);
    const ids = new Map([['spaces', new Set(places.spaces)]]);
    const named: (ArchiveName & { where: string })[] = [];
    const described = new Set<string>();
    for (const list of lists) ids.set(list.file, await checkList(file, list, { organization, named, described }));
    const foreign = places.others.find((each) => !described.has(each));
    if (foreign !== undefined)
      throw refusal(`${quotedPath(foreign)}: is no file of an archive of version ${formatVersion}`);
    if (ids.get('organization.ndjson')?.size !== 1 || !ids.get('organization.ndjson')?.has(organization))
      throw refusal('organization.ndjson: must be one line, of the organization that bindery.json names');
    const specs = await readArchivedSpecs(file);
    const known = new Set(specs.map(specVersionFile));
    const stray = places.specs.find((each) => !known.has(each));
    if (stray) throw refusal(`${quotedPath(stray)}: is of no specification in ${specsFile}`);
    for (const id of places.spaces) {
      const { space } = await readArchivedSpace(file, id);
      const where = `${spaceFolder(id)}space.json`;
      for (const field of ['parent', 'formerParent'] as const)
        if (space[field] !== undefined) named.push({ where, field, file: 'collections.ndjson', id: space[field] });
    }
    const missing = named.find((each) => !ids.get(each.file)?.has(each.id));
    if (missing)
      throw refusal(
        `${missing.where}: ${missing.field}: ${missing.id} is not in ${missing.file}; if the organization was changed while it was exported, export it again`,
      );
    const histories = await checkHistories(places.spaces, { archive: file, scratchDir, signal });
    return { file, organization, sum, specs, spaces: places.spaces, histories };
  } catch (error) {
    file.close();
    throw error;
  }
}

/** Checks the histories of spaces. No two of them have a revision, or a change request, in common. */
async function checkHistories(spaces: string[], source: Omit<HistorySource, 'space'>): Promise<HistoryIds[]> {
  const histories: HistoryIds[] = [];
  const known = new Map<string, string>();
  for (const space of spaces.filter((each) => hasHistory(source.archive, each))) {
    const history = await checkHistory({ ...source, space });
    for (const id of [...history.revisions, ...history.changeRequests]) {
      const other = known.get(id);
      if (other !== undefined)
        throw refusal(`${spaceFolder(space)}${historyFile}: ${id} is in ${spaceFolder(other)}${historyFile}, too`);
      known.set(id, space);
    }
    histories.push(history);
  }
  return histories;
}

const maxFormatBytes = 10_000;

async function readFormat(file: ArchiveFile): Promise<string> {
  const size = file.sizes.get('bindery.json');
  if (size === undefined || size > maxFormatBytes)
    throw refusal('the file is no archive of Bindery: it has no bindery.json');
  const text = (await readBytes(file, 'bindery.json')).toString('utf8');
  readShaped(text, z.looseObject({ format: z.literal('bindery-archive') }), 'bindery.json');
  readShaped(text, z.looseObject({ version: z.literal(formatVersion) }), 'bindery.json');
  const whole = z.strictObject({ format: z.string(), version: z.number(), organization: archivedId });
  return readShaped(text, whole, 'bindery.json').organization;
}

/** Compares every file with its checksum. Returns the hash of the checksums. */
async function checkSums(file: ArchiveFile): Promise<string> {
  const sums = new Map<string, string>();
  const all = createHash('sha256');
  if (!file.sizes.has(sumsFile)) throw refusal(`${sumsFile}: is missing`);
  for await (const line of eachTextLine(file, sumsFile)) {
    const [, sum, path] = /^([0-9a-f]{64}) {2}(.+)$/s.exec(line) ?? [];
    if (sum === undefined || path === undefined || sums.has(path))
      throw refusal(`${sumsFile} line ${sums.size + 1}: must be the checksum of one file`);
    if (!file.sizes.has(path)) throw refusal(`${quotedPath(path)}: is missing; ${sumsFile} names it`);
    sums.set(path, sum);
    all.update(`${line}\n`);
  }
  for (const path of file.sizes.keys()) {
    if (path === sumsFile) continue;
    const sum = sums.get(path);
    if (sum === undefined) throw refusal(`${quotedPath(path)}: is not in ${sumsFile}`);
    if ((await sumOf(file, path)) !== sum) throw refusal(`${quotedPath(path)}: was changed: its checksum is another`);
  }
  return all.digest('hex');
}

async function sumOf(file: ArchiveFile, path: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const piece of await file.open(path)) hash.update(piece);
  } catch (error) {
    throwDamaged(error, path);
  }
  return hash.digest('hex');
}

/** The files of spaces and specifications by what they are of, and those that lines may describe. Throws 422 for one that is missing. */
function placesOf(file: ArchiveFile, lists: readonly List[]): { spaces: string[]; specs: string[]; others: string[] } {
  const top = [...lists.map((list) => list.file), specsFile];
  const fixed = new Set(['bindery.json', sumsFile, ...top]);
  const spaces = new Set<string>();
  const specs: string[] = [];
  const others: string[] = [];
  for (const path of file.sizes.keys()) {
    if (fixed.has(path)) continue;
    const [, id, rest] = /^spaces\/([A-Za-z0-9_]{1,100})\/(.+)$/s.exec(path) ?? [];
    if (id !== undefined && rest !== undefined && isSpaceFile(rest)) spaces.add(id);
    else if (/^openapi\/[^/]+\.json$/.test(path)) specs.push(path);
    else others.push(path);
  }
  const needed = [...top, ...[...spaces].flatMap((id) => spaceFiles.map((name) => spaceFolder(id) + name))];
  const missing = needed.find((path) => !file.sizes.has(path));
  if (missing) throw refusal(`${missing}: is missing`);
  return { spaces: [...spaces].sort(), specs, others };
}

const isSpaceFile = (path: string): boolean =>
  path.startsWith(contentFolder) || path === historyFile || spaceFiles.includes(path);

/** Lines of a list. */
const maxLines = 1_000_000;

interface Checking {
  organization: string;
  /** The names in lines, to be looked up when all lists are known. */
  named: (ArchiveName & { where: string })[];
  /** The paths of files that lines describe. */
  described: Set<string>;
}

/** Checks the lines of a list, and returns the ids by which others name them. */
async function checkList(
  file: ArchiveFile,
  list: List,
  { organization, named, described }: Checking,
): Promise<Set<string>> {
  const ids = new Set<string>();
  const names = new Set<string>();
  const values = new Set<string>();
  for await (const line of eachLineOf(file, list.file, list.line)) {
    const where = `${list.file} line ${ids.size + 1}`;
    const id = list.idOf(line as object, organization);
    if (ids.has(id)) throw refusal(`${where}: describes the same as another line`);
    ids.add(id);
    names.add(list.nameOf(line as object, organization));
    if (ids.size > maxLines) throw refusal(`${where}: a list has at most ${maxLines} lines`);
    for (const { field, value } of list.unique(line as never)) {
      const key = JSON.stringify([field, value]);
      if (values.has(key)) throw refusal(`${where}: ${field}: is on another line, too`);
      values.add(key);
    }
    for (const name of list.names(line as never)) named.push({ ...name, where });
    for (const each of list.files(line as never)) {
      if (!described.has(each.path)) await checkDescribed(file, each, where);
      described.add(each.path);
    }
  }
  return names;
}

async function checkDescribed(
  file: ArchiveFile,
  { field, path, maxBytes, problemOf }: DescribedFile,
  where: string,
): Promise<void> {
  const size = file.sizes.get(path);
  if (size === undefined) throw refusal(`${where}: ${field}: ${quotedPath(path)} is missing`);
  if (size > maxBytes) throw refusal(`${quotedPath(path)}: has more than ${maxBytes} bytes`);
  const problem = problemOf(await readBytes(file, path));
  if (problem !== undefined) throw refusal(`${quotedPath(path)}: ${problem}`);
}

/** The lines of a list of a checked archive, in parts. */
export async function* eachArchivePart(file: ArchiveFile, list: List): AsyncGenerator<object[]> {
  let part: object[] = [];
  for await (const line of eachLineOf(file, list.file, list.line)) {
    if (part.push(line as object) < maxArchiveLines) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}
