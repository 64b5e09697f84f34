import { tmpdir } from 'node:os';
import type { Blobs } from '../../../shared/blobs/port.js';
import {
  type ArchiveList,
  archiveConflicts,
  archiveTaking,
  type DescribedFile,
} from '../../../shared/contract/archive.js';
import type { Call } from '../../../shared/contract/context.js';
import { archivedTexts } from '../../comments/threads/archived-texts.js';
import { contentLists } from '../../content/exchange/archive/archived.js';
import {
  type CheckedArchive,
  eachArchivePart,
  openCheckedArchive,
} from '../../content/exchange/archive/taking/checked-archive.js';
import {
  findForeignContent,
  findForeignHistory,
  takeArchivedSpace,
  takeArchivedSpec,
} from '../../content/exchange/archive/taking/verbs.js';
import {
  type ArchivedPerson,
  checkArchiveImport,
  endArchiveImport,
  type ImportedArchive,
  makeAccounts,
} from '../../identity/contract.js';
import { archivedLists as identityLists } from '../../identity/organizations/archived.js';
import { integrationLists } from '../../integrations/archive/archived-integrations.js';
import { siteLists } from '../../sites/archive/archived-sites.js';
import type { Progress } from '../progress.js';

type List = ArchiveList<never> & { service: string };

const membersFile = 'members.ndjson';
const organizationFile = 'organization.ndjson';

const ofService = (service: string, all: readonly ArchiveList<never>[]): List[] =>
  all.map((list) => ({ ...list, service }));
const isMembers = ({ file }: { file: string }) => file === membersFile;

/**
 * The lists that are taken before spaces, and after them. Nobody sees an organization before it has members; comments look for these. Sites
 * may be open to everyone. Integrations are notified of their installation when all that it is on is there.
 */
const before = [
  ...ofService(
    'identity',
    identityLists.filter((list) => !isMembers(list)),
  ),
  ...ofService('content', contentLists),
];
const after = [
  ...ofService('identity', identityLists.filter(isMembers)),
  ...ofService('comments', archivedTexts),
  ...ofService('sites', siteLists),
  ...ofService('integrations', integrationLists),
];
const lists = [...before, ...after];

/** An archive that can be imported, with what the import shows of it. */
export interface OpenedArchive extends CheckedArchive {
  title: string;
  people: ArchivedPerson[];
}

/** Opens an archive and checks all of it, before anything is opened that could be written to, besides temporary files. */
export async function openChecked(path: string, signal: AbortSignal): Promise<OpenedArchive> {
  const archive = await openCheckedArchive({ path, lists, scratchDir: tmpdir(), signal });
  try {
    const [organization] = await linesOf<{ title: string }>(archive, organizationFile);
    const members = await linesOf<Member>(archive, membersFile);
    return { ...archive, title: organization?.title ?? '', people: checkedPeople(members) };
  } catch (error) {
    archive.file.close();
    throw error;
  }
}

interface Member extends ArchivedPerson {
  role: string | null;
  disabled: boolean;
  invitedBy?: string;
}

function checkedPeople(members: Member[]): ArchivedPerson[] {
  const addresses = new Set<string>();
  for (const [at, { email }] of members.entries()) {
    if (addresses.has(email.toLowerCase()))
      throw new Error(`${membersFile} line ${at + 1}: email: is on another line, too`);
    addresses.add(email.toLowerCase());
  }
  if (!members.some(({ role, disabled, invitedBy }) => role === 'admin' && !disabled && invitedBy === undefined))
    throw new Error(`${membersFile}: must have an admin who is not disabled`);
  return members.map(({ user, email, displayName }) => ({ user, email, displayName }));
}

async function linesOf<L>({ file }: CheckedArchive, path: string): Promise<L[]> {
  const lines: L[] = [];
  for await (const part of eachArchivePart(file, listNamed(path))) lines.push(...(part as L[]));
  return lines;
}

const listNamed = (path: string): List => lists.find(({ file }) => file === path) as List;

/** Says how an import calls the services, when it ends, and where it shows how far it is. */
interface Taking {
  call: () => Call;
  signal: AbortSignal;
  progress: (what: string, total: number) => Progress;
  warn: (text: string) => void;
  blobs: Blobs;
}

/** Imports an archive. Throws before anything is written where it cannot be; from then on it may be run again to its end. */
export async function takeArchive(taking: Taking, archive: OpenedArchive): Promise<{ known: number }> {
  const imported: ImportedArchive = { organization: archive.organization, archive: archive.sum };
  await checkFree(taking, archive, imported);
  const accounts: Record<string, string> = {};
  for (const people of parts(archive.people, 500))
    Object.assign(accounts, await taking.call()(makeAccounts, { people }));
  const takeList = (list: List) => takeLines(taking, { archive, imported, accounts, list });
  for (const list of before) await takeList(list);
  await takeContent(taking, archive, accounts);
  for (const list of after) await takeList(list);
  await taking.call()(endArchiveImport, imported);
  return { known: Object.keys(accounts).length };
}

function* parts<T>(items: T[], size: number): Generator<T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}

/** Makes sure that neither the organization nor anything of it is here, but for what the same import stored before. */
async function checkFree({ call }: Taking, archive: OpenedArchive, imported: ImportedArchive): Promise<void> {
  const { organization, file, spaces, specs, histories } = archive;
  const [line] = await linesOf<{ hostname?: string }>(archive, organizationFile);
  await call()(checkArchiveImport, { ...imported, hostname: line?.hostname });
  for (const list of lists)
    for await (const lines of eachArchivePart(file, list))
      refuseForeign(await call()(archiveConflicts(list.service), { organization, file: list.file, lines }), list.file);
  for (const some of parts(spaces, 500))
    refuseForeign(await call()(findForeignContent, { organization, spaces: some, specs: [] }), 'spaces');
  const ids = specs.map(({ id }) => id);
  refuseForeign(await call()(findForeignContent, { organization, spaces: [], specs: ids }), 'openapi.ndjson');
  for (const history of histories)
    refuseForeign(await call()(findForeignHistory, history), `spaces/${history.space}/history.bundle`, 'space');
}

function refuseForeign([id]: string[], where: string, owner = 'organization'): void {
  if (id !== undefined)
    throw new Error(`${where}: ${id} belongs to another ${owner} here: nothing of an archive may be here already`);
}

interface Lines {
  archive: OpenedArchive;
  imported: ImportedArchive;
  accounts: Record<string, string>;
  list: List;
}

async function takeLines(taking: Taking, { archive, imported, accounts, list }: Lines): Promise<void> {
  const { call, signal, warn } = taking;
  for await (const part of eachArchivePart(archive.file, list)) {
    signal.throwIfAborted();
    const files = await storeFiles(
      taking,
      archive,
      part.flatMap((line) => list.files(line as never)),
    );
    const lines = part.map((line) => withAccounts(line, accounts) as object);
    const leftOut = await call()(archiveTaking(list.service), { ...imported, file: list.file, lines, files });
    for (const text of leftOut) warn(`${list.file}: ${text}`);
  }
}

const blobMs = 24 * 3600_000;

/** Stores files for the services to take. Answers their blobs, by path. */
async function storeFiles(
  { blobs }: Taking,
  { file }: OpenedArchive,
  described: DescribedFile[],
): Promise<Record<string, string>> {
  const stored: Record<string, string> = {};
  for (const { path } of described)
    stored[path] ??= (await blobs.put(await file.open(path), { expiresAt: new Date(Date.now() + blobMs) })).id;
  return stored;
}

/** The value with the ids of accounts as they are here. An id is nothing else by chance. */
function withAccounts(value: unknown, accounts: Record<string, string>): unknown {
  if (typeof value === 'string') return accounts[value] ?? withMentions(value, accounts);
  if (Array.isArray(value)) return value.map((each) => withAccounts(each, accounts));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => [accounts[key] ?? key, withAccounts(each, accounts)]);
  return Object.fromEntries(entries);
}

const withMentions = (text: string, accounts: Record<string, string>): string =>
  text.replace(/(\/users\/)(\w+)/g, (whole, before: string, id: string) =>
    accounts[id] ? before + accounts[id] : whole,
  );

/** Specifications first: pages are made from them. */
async function takeContent(
  { call, signal, progress, warn }: Taking,
  { organization, file: archive, specs, spaces }: OpenedArchive,
  accounts: Record<string, string>,
): Promise<void> {
  const shown = progress('spaces and specifications', specs.length + spaces.length);
  try {
    for (const spec of specs) {
      signal.throwIfAborted();
      await call()(takeArchivedSpec, { organization, archive, spec });
      shown.advance(1);
    }
    for (const space of spaces) {
      signal.throwIfAborted();
      const problems = await call()(takeArchivedSpace, { organization, archive, space, accounts, signal });
      for (const { path, message } of problems) warn(`spaces/${space}: ${path}: ${message}`);
      shown.advance(1);
    }
  } finally {
    shown.end();
  }
}
