import type { HasBlobs } from '../../../../shared/blobs/port.js';
import type { HasStore } from '../../../../shared/store/port.js';
import { newId, timestamp } from '../../../../shared/values/ids.js';
import { isTurnOver, nextTurn } from '../../../../shared/work/slices.js';
import { storeSettings } from '../../core/revisions/chunks.js';
import type { ReusableEntry, SettingFile } from '../../core/revisions/model.js';
import { type NewRevision, type RevisionView, repositoryPathsIn } from '../../core/revisions/revision-view.js';
import type { HasLedger } from '../../core/storage/ledger.js';
import type { Outline } from '../../format/space/outline/outline.js';
import type { OutlinePage } from '../../format/space/outline/outline-pages.js';
import { isMarkdownFile, joinPath } from '../../format/space/paths.js';
import { findConfigFile, settingFilesOf } from '../../format/space/settings/setting-files.js';
import type { HasWork } from '../../format/workers/page-work.js';
import { withComputedPages } from '../../openapi/pages/computed-pages.js';
import { maxPath } from '../git/tree/listing.js';
import { compareByPath, type SourceFile, type SourceTree } from '../git/tree/source-tree.js';
import { checkOutline, maxPageSize } from './import-limits.js';
import { outsidePaths, RepositoryPaths } from './outside-paths.js';
import { buildPageTree, eachOutlinePage, noteOutlineAnchors, type StoredPage } from './page-entries.js';
import type { Problem } from './problems.js';
import { storeFiles } from './stored-files.js';
import { type ImportMemory, storePages } from './stored-pages.js';
import type { Aliases } from './used-anchors.js';

export interface ImportTree {
  tree: SourceTree;
  organization: string;
  space: string;
  /** Folder of the tree that holds the space. */
  projectDirectory?: string | undefined;
  /** The revision that page ids are kept from. */
  before: RevisionView | null;
  /** Where other trees of the space are imported too. */
  memory?: ImportMemory | undefined;
  signal?: AbortSignal | undefined;
}

export interface ImportedTree extends NewRevision {
  problems: Problem[];
}

const isAssetPath = (path: string) => !isMarkdownFile(path) && !/(^|\/)\.[^/]*$/.test(path);

/** Reads a tree into pages, files and reusable content. Stores documents and blobs, which nothing points at yet. */
export async function importTree(
  deps: HasStore & HasBlobs & HasWork & HasLedger,
  { tree, organization, space, projectDirectory, before, memory, signal }: ImportTree,
): Promise<ImportedTree> {
  memory?.turn();
  const inside = filesInside(tree.files, projectDirectory);
  const timesRead = tree.times?.(new Set(inside.map(({ path }) => path).filter(isMarkdownFile)));
  if (isTurnOver()) await nextTurn();
  const paths = new RepositoryPaths(tree.paths ?? tree.files.map(({ path }) => path));
  const read = await storePages(deps, { tree, paths, files: inside, organization, space, memory, signal });
  const { stored, mentioned, included, anchors, problems } = read;
  const settings = await readSettings(deps, { tree, organization, files: inside, projectDirectory });
  const texts = new Map(settings.map(({ path, text }) => [path, text]));
  const titles = new Map([...stored].flatMap(([path, { title }]) => (title === undefined ? [] : [[path, title]])));
  const source = { files: inside.map(({ path }) => ({ path })), texts, titles, mentioned, projectDirectory };
  const outline = await deps.work.outline(source, organization);
  if (isTurnOver()) await nextTurn();
  checkOutline([...eachOutlinePage(outline.pages)].length, 'The table of contents');
  const linked = linkedFiles(outline.pages);
  const assets = new Set([...outline.files.map(({ path }) => path), ...linked.filter(isAssetPath)]);
  const files = await storeFiles(deps, { tree, owner: { organization, space }, paths: [...assets], before, signal });
  noteOutlineAnchors(outline, anchors);
  if (isTurnOver()) await nextTurn();
  const aliases = await anchors.findAliases(deps.store, space, stored);
  const times = (await timesRead) ?? new Map();
  const { pages, redirects } = await buildPageTree({
    outline,
    stored,
    aliases,
    before,
    times,
    importedAt: importTime(tree),
  });
  const content = {
    pages: await withComputedPages(deps, { organization, space, pages, before: before?.pageById ?? new Map() }),
    redirects,
    files,
    reusable: reusableEntries({ outline, included, stored, aliases, before }),
  };
  return {
    ...content,
    outside: outsidePaths([...mentioned, ...linked.filter((path) => paths.hasPath(path))], repositoryPathsIn(content)),
    variables: outline.variables,
    tags: outline.tags,
    repository: {
      directory: joinPath('', projectDirectory ?? '') ?? '',
      settings: await storeSettings(deps, { organization, space }, settings),
    },
    problems: [...leftOutProblems(tree), ...outline.problems, ...problems],
  };
}

function leftOutProblems({ leftOut = 0 }: SourceTree): Problem[] {
  const [files, have] = leftOut === 1 ? ['file', 'has'] : ['files', 'have'];
  const message = `${leftOut} ${files} of the repository ${have} a path of more than ${maxPath.toLocaleString('en')} bytes, left out`;
  return leftOut === 0 ? [] : [{ path: '', message }];
}

/** The time that new pages get: that of the commit, unless it lies in the future. */
function importTime({ commit }: SourceTree): string {
  const now = timestamp();
  return commit && commit.committedAt < now ? commit.committedAt : now;
}

function filesInside(files: SourceFile[], directory: string | undefined): SourceFile[] {
  const folder = (directory ?? '').replace(/^\.?\/+|\/+$/g, '');
  return folder === '' || folder === '.' ? files : files.filter(({ path }) => path.startsWith(`${folder}/`));
}

/** The texts of the files that say how the space is built. */
async function readSettings(
  { work }: HasWork,
  {
    tree,
    organization,
    files,
    projectDirectory = '',
  }: Pick<ImportTree, 'tree' | 'organization' | 'projectDirectory'> & { files: SourceFile[] },
): Promise<SettingFile[]> {
  const settings = new Map<string, SettingFile>();
  const known = new Map(files.map((file) => [file.path, file]));
  const readSetting = async (path: string | undefined) => {
    const file = path === undefined ? undefined : known.get(path);
    if (file === undefined || file.size > maxPageSize) return undefined;
    const text = (await tree.read(file.path)).toString('utf8');
    settings.set(file.path, { path: file.path, oid: file.oid, text });
    return text;
  };
  const project = joinPath('', projectDirectory);
  if (project === undefined) return [];
  const paths = new Set(known.keys());
  const config = await work.spaceConfig(await readSetting(findConfigFile(paths, project)), organization);
  const { summary, variables, tags } = settingFilesOf(paths, project, config);
  await Promise.all([...new Set([summary, variables, tags])].map(readSetting));
  return [...settings.values()].sort(compareByPath);
}

/** Content of the includes folder, and what pages include from elsewhere, which may be a page too. */
function reusableEntries({
  outline,
  included,
  stored,
  aliases,
  before,
}: {
  outline: Outline;
  included: ReadonlySet<string>;
  stored: ReadonlyMap<string, StoredPage>;
  aliases: ReadonlyMap<string, Aliases>;
  before: RevisionView | null;
}): ReusableEntry[] {
  return [...new Set([...outline.includes.map(({ path }) => path), ...included])].flatMap((path) => {
    const page = stored.get(path);
    if (!page) return [];
    const names = aliases.get(path);
    const title = page.title ?? path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '');
    return {
      id: before?.reusableByPath.get(path)?.id ?? newId(),
      title,
      document: page.oid,
      ...(names ? { aliases: names } : {}),
      git: { oid: page.oid, path },
    };
  });
}

/** The files that the navigation links to, besides pages. */
const linkedFiles = (pages: OutlinePage[]): string[] =>
  [...eachOutlinePage(pages)].flatMap((page) =>
    page.type === 'link' && 'file' in page.target ? [page.target.file] : [],
  );
