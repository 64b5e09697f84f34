import {
  fileNameOf,
  isInFolder,
  isMarkdownFile,
  joinInside,
  joinPath,
  newFileFinder,
  percentDecode,
  redirectKey,
} from '../paths.js';
import { findConfigFile, settingFilesOf } from '../settings/setting-files.js';
import {
  parseSpaceConfig,
  parseTags,
  parseVariables,
  type TagDefinition,
  type Variables,
} from '../settings/space-config.js';
import { parseSummary } from '../summary/summary.js';
import { deriveEntries } from './derived-summary.js';
import { newPlacing, type OutlinePage, type Placing, placeEntries, reportProblem } from './outline-pages.js';

/** The structure of a space. All paths of files are from the root of the tree. */
export interface Outline {
  pages: OutlinePage[];
  /** Assets. */
  files: { path: string }[];
  /** Files of reusable content. */
  includes: { path: string }[];
  variables: Variables;
  tags: TagDefinition[];
  redirects: OutlineRedirect[];
  /** Messages for people about what could not be imported as written; `path` is the file to correct. */
  problems: { path: string; message: string }[];
}

export interface OutlineRedirect {
  /** An old page path. */
  from: string;
  file: string;
  anchor?: string;
}

export interface OutlineOptions {
  /** The folder that holds `.gitbook.yaml`; the top of the tree by default. */
  projectDirectory?: string | undefined;
  /** The text of a file of the tree. */
  readText(path: string): string | undefined;
  /** The title in a page file. */
  titleOf(path: string): string | undefined;
  /** Whether a page shows or links a file; such a file is an asset even outside `.gitbook/assets`. */
  isReferenced?(path: string): boolean;
}

/**
 * Reads a source tree in the Git-sync format as the outline of a space: pages from `SUMMARY.md`, without one from folders
 * and files. Anything that cannot be used is left out and reported; throws only what the functions in `options` throw.
 */
export function readOutline(files: readonly { path: string }[], options: OutlineOptions): Outline {
  const problems: Outline['problems'] = [];
  const project = joinPath('', options.projectDirectory ?? '');
  if (project === undefined) {
    problems.push({
      path: options.projectDirectory ?? '',
      message: 'the project directory lies outside the repository',
    });
    return { pages: [], files: [], includes: [], variables: {}, tags: [], redirects: [], problems };
  }
  const paths = new Set(files.map(({ path }) => path));
  const reader = { paths, options, problems };
  const configPath = findConfigFile(paths, project) ?? '';
  const config = parseSpaceConfig(readIfPresent(reader, configPath));
  reportProblemAt(reader, configPath, config.problem);
  const settings = settingFilesOf(paths, project, config);
  const { root, summary } = settings;
  const inRoot = files.filter(({ path }) => isInFolder(root, path));
  if (inRoot.length === 0) reportProblemAt(reader, root, 'there are no files here');

  const find = newFileFinder(paths);
  const listed = parseSummary(readIfPresent(reader, summary) ?? '').entries;
  const entries =
    listed.length > 0 ? listed : deriveEntries(root, inRoot, summary, find(joinInside(root, config.readme)));
  const titleOf = (path: string) => options.titleOf(path);
  const placing = { ...newPlacing({ root, summary, find, titleOf }), problems };
  const pages = placeEntries(entries, '', placing);
  for (const file of placing.targets) {
    if (isMarkdownFile(file) && !placing.listed.has(file))
      reportProblem(placing, `${file} is linked but not listed as a page`);
  }
  const includes = joinInside(root, '.gitbook/includes');
  const { variables, ...vars } = parseVariables(readIfPresent(reader, settings.variables));
  reportProblemAt(reader, settings.variables, vars.problem);
  const { tags, ...tagList } = parseTags(readIfPresent(reader, settings.tags));
  reportProblemAt(reader, settings.tags, tagList.problem);
  return {
    pages,
    files: assetFilesOf(files, placing, options),
    includes: inRoot.flatMap(({ path }) => (isMarkdownFile(path) && isInFolder(includes, path) ? [{ path }] : [])),
    variables,
    tags,
    redirects: resolveRedirects(config.redirects, configPath, pages, placing),
    problems,
  };
}

interface Reader {
  paths: ReadonlySet<string>;
  options: OutlineOptions;
  problems: Outline['problems'];
}

function readIfPresent({ paths, options }: Reader, path: string): string | undefined {
  return paths.has(path) ? options.readText(path) : undefined;
}

function reportProblemAt({ problems }: Reader, path: string, message: string | undefined): void {
  if (message !== undefined) problems.push({ path, message });
}

function resolveRedirects(
  redirects: Map<string, string>,
  configPath: string,
  pages: OutlinePage[],
  placing: Placing,
): OutlineRedirect[] {
  const targets: RedirectTargets = {
    redirects: new Map([...redirects].map(([from, to]) => [redirectKey(from), to])),
    pages: new Map(redirects.size === 0 ? [] : filesOfPages(pages)),
  };
  const kept: OutlineRedirect[] = [];
  for (const [from, to] of redirects) {
    const target = findRedirectTarget(to, targets, placing);
    if (target) kept.push({ from, ...target });
    else placing.problems.push({ path: configPath, message: `${from} is redirected to ${to}, which is not a page` });
  }
  return kept;
}

const MAX_HOPS = 10;

/** By `redirectKey`. */
interface RedirectTargets {
  redirects: ReadonlyMap<string, string>;
  /** The files of pages, by the paths of the pages. */
  pages: ReadonlyMap<string, string>;
}

const filesOfPages = (pages: OutlinePage[]): [string, string][] =>
  pages.flatMap((page): [string, string][] => [
    ...(page.type === 'document' && page.file !== undefined
      ? [[redirectKey(page.path), page.file] satisfies [string, string]]
      : []),
    ...('children' in page ? filesOfPages(page.children) : []),
  ]);

/** A target is the file of a page, the path of a page (such as `x.md` when the file is now `x/README.md`), or another redirect. */
function findRedirectTarget(
  to: string,
  { redirects, pages }: RedirectTargets,
  { root, find, listed }: Placing,
): Pick<OutlineRedirect, 'file' | 'anchor'> | undefined {
  let next: string | undefined = to;
  let anchor = '';
  for (let hop = 0; next !== undefined && hop < MAX_HOPS; hop++) {
    const hash = next.indexOf('#');
    const target = hash < 0 ? next : next.slice(0, hash);
    if (hash >= 0) anchor ||= next.slice(hash + 1);
    const path = joinPath(root, target);
    const found = path === undefined ? undefined : (find(path) ?? find(percentDecode(path)));
    const file = found !== undefined && listed.has(found) ? found : pages.get(redirectKey(target));
    if (file !== undefined) return { file, ...(anchor && { anchor: percentDecode(anchor) }) };
    next = redirects.get(redirectKey(target));
  }
  return undefined;
}

function assetFilesOf(
  files: readonly { path: string }[],
  { root, listed }: Placing,
  options: OutlineOptions,
): { path: string }[] {
  const assets = joinPath(root, '.gitbook/assets') ?? '';
  return files.flatMap(({ path }) => {
    if (listed.has(path)) return [];
    const shown = !isMarkdownFile(path) && !fileNameOf(path).startsWith('.') && options.isReferenced?.(path);
    return shown || isInFolder(assets, path) ? [{ path }] : [];
  });
}
