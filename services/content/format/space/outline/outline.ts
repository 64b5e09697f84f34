import { below, fileFinder, isMarkdown, isWithin, joinPath, nameOf, percentDecoded, redirectKey } from '../paths.js';
import { configFileOf, settingFilesOf } from '../settings/setting-files.js';
import {
  parseSpaceConfig,
  parseTags,
  parseVariables,
  type TagDefinition,
  type Variables,
} from '../settings/space-config.js';
import { parseSummary } from '../summary/summary.js';
import { derivedEntries } from './derived-summary.js';
import { levelOf, newPlacing, type OutlinePage, type Placing, report } from './outline-pages.js';

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
export function outlineOf(files: readonly { path: string }[], options: OutlineOptions): Outline {
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
  const configPath = configFileOf(paths, project) ?? '';
  const config = parseSpaceConfig(readIn(reader, configPath));
  reportIn(reader, configPath, config.problem);
  const settings = settingFilesOf(paths, project, config);
  const { root, summary } = settings;
  const inRoot = files.filter(({ path }) => isWithin(root, path));
  if (inRoot.length === 0) reportIn(reader, root, 'there are no files here');

  const find = fileFinder(paths);
  const listed = parseSummary(readIn(reader, summary) ?? '').entries;
  const entries = listed.length > 0 ? listed : derivedEntries(root, inRoot, summary, find(below(root, config.readme)));
  const titleOf = (path: string) => options.titleOf(path);
  const placing = { ...newPlacing({ root, summary, find, titleOf }), problems };
  const pages = levelOf(entries, '', placing);
  for (const file of placing.targets) {
    if (isMarkdown(file) && !placing.listed.has(file)) report(placing, `${file} is linked but not listed as a page`);
  }
  const includes = below(root, '.gitbook/includes');
  const { variables, ...vars } = parseVariables(readIn(reader, settings.variables));
  reportIn(reader, settings.variables, vars.problem);
  const { tags, ...tagList } = parseTags(readIn(reader, settings.tags));
  reportIn(reader, settings.tags, tagList.problem);
  return {
    pages,
    files: assetsOf(files, placing, options),
    includes: inRoot.flatMap(({ path }) => (isMarkdown(path) && isWithin(includes, path) ? [{ path }] : [])),
    variables,
    tags,
    redirects: redirectsOf(config.redirects, configPath, pages, placing),
    problems,
  };
}

interface Reader {
  paths: ReadonlySet<string>;
  options: OutlineOptions;
  problems: Outline['problems'];
}

function readIn({ paths, options }: Reader, path: string): string | undefined {
  return paths.has(path) ? options.readText(path) : undefined;
}

function reportIn({ problems }: Reader, path: string, message: string | undefined): void {
  if (message !== undefined) problems.push({ path, message });
}

function redirectsOf(
  redirects: Map<string, string>,
  configPath: string,
  pages: OutlinePage[],
  placing: Placing,
): OutlineRedirect[] {
  const targets: RedirectTargets = {
    redirects: new Map([...redirects].map(([from, to]) => [redirectKey(from), to])),
    pages: new Map(redirects.size === 0 ? [] : pageFilesOf(pages)),
  };
  const kept: OutlineRedirect[] = [];
  for (const [from, to] of redirects) {
    const target = redirectTarget(to, targets, placing);
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

const pageFilesOf = (pages: OutlinePage[]): [string, string][] =>
  pages.flatMap((page): [string, string][] => [
    ...(page.type === 'document' && page.file !== undefined
      ? [[redirectKey(page.path), page.file] satisfies [string, string]]
      : []),
    ...('children' in page ? pageFilesOf(page.children) : []),
  ]);

/** A target is the file of a page, the path of a page (such as `x.md` when the file is now `x/README.md`), or another redirect. */
function redirectTarget(
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
    const found = path === undefined ? undefined : (find(path) ?? find(percentDecoded(path)));
    const file = found !== undefined && listed.has(found) ? found : pages.get(redirectKey(target));
    if (file !== undefined) return { file, ...(anchor && { anchor: percentDecoded(anchor) }) };
    next = redirects.get(redirectKey(target));
  }
  return undefined;
}

function assetsOf(
  files: readonly { path: string }[],
  { root, listed }: Placing,
  options: OutlineOptions,
): { path: string }[] {
  const assets = joinPath(root, '.gitbook/assets') ?? '';
  return files.flatMap(({ path }) => {
    if (listed.has(path)) return [];
    const shown = !isMarkdown(path) && !nameOf(path).startsWith('.') && options.isReferenced?.(path);
    return shown || isWithin(assets, path) ? [{ path }] : [];
  });
}
