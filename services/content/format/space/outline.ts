import { splitEmoji } from '../markdown/emoji.js';
import { derivedEntries } from './derived-summary.js';
import {
  below,
  fileFinder,
  folderOf,
  isMarkdown,
  isWithin,
  joinPath,
  nameOf,
  pageNameOf,
  percentDecoded,
  redirectKey,
  slugClaims,
  slugOf,
  titleOfName,
} from './paths.js';
import { configFileOf, settingFilesOf } from './setting-files.js';
import { parseSpaceConfig, parseTags, parseVariables, type TagDefinition, type Variables } from './space-config.js';
import { type ComputedSource, parseSummary, type SummaryEntry, type SummaryItem } from './summary.js';

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
  /** What could not be imported as written, in words for people; `path` is the file to correct. */
  problems: { path: string; message: string }[];
}

export type OutlinePage =
  /** Without a `file` the page has no body. */
  | (Placed & { type: 'document'; emoji?: string; linkTitle?: string; file?: string; children: OutlinePage[] })
  | (Placed & { type: 'group'; children: OutlinePage[] })
  | (Placed & { type: 'computed'; computed: ComputedSource })
  | { type: 'link'; title: string; linkTitle?: string; target: OutlineTarget };

interface Placed {
  title: string;
  /** Unique among siblings. */
  slug: string;
  /** The slugs from the top, joined by `/`. */
  path: string;
}

export type OutlineTarget = { href: string } | { file: string; anchor?: string };

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
  const listed = parseSummary(readIn(reader, summary) ?? '');
  const entries = listed.length > 0 ? listed : derivedEntries(root, inRoot, summary, find(below(root, config.readme)));
  const placing: Placing = { root, summary, find, options, listed: new Set(), targets: [], problems };
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
    files: assetsOf(files, placing),
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

/** The state of placing the pages of one tree. */
interface Placing {
  root: string;
  /** The path of the table of contents; the file need not exist. */
  summary: string;
  find: (path: string) => string | undefined;
  options: OutlineOptions;
  /** Files that are pages already. */
  listed: Set<string>;
  /** Files that link pages lead to. */
  targets: string[];
  problems: Outline['problems'];
}

interface Level {
  /** The path of the parent. */
  path: string;
  claim: (slug: string) => string;
  pages: OutlinePage[];
}

function levelOf(entries: readonly SummaryEntry[], path: string, placing: Placing): OutlinePage[] {
  const level: Level = { path, claim: slugClaims(), pages: [] };
  for (const entry of entries) place(entry, level, placing);
  return level.pages;
}

function place(entry: SummaryEntry, level: Level, placing: Placing): void {
  if (entry.type === 'group') {
    const title = entry.title || 'Group';
    const placed = placedAt(level, title, slugOf(entry.slug ?? title, 'group'));
    level.pages.push({ type: 'group', ...placed, children: levelOf(entry.children, placed.path, placing) });
    return;
  }
  const page = pageOf(entry, level, placing);
  if (page) level.pages.push(page);
  if (page?.type === 'document') page.children = levelOf(entry.children, page.path, placing);
  else for (const child of entry.children) place(child, level, placing);
}

/** The page of an item, without its children; only documents can hold those. */
function pageOf(item: SummaryItem, level: Level, placing: Placing): OutlinePage | undefined {
  if (item.problem) report(placing, item.problem);
  const { target } = item;
  if (target?.kind === 'computed') {
    const title = item.title || 'Untitled';
    return { type: 'computed', ...placedAt(level, title, slugOf(title, 'page')), computed: target.computed };
  }
  if (target?.kind === 'url') return urlPage(item, target.url, placing);
  if (target?.kind === 'file') return filePage(item, target, level, placing);
  return item.problem && item.children.length === 0 ? undefined : emptyPage(item, item.title, level);
}

function urlPage(item: SummaryItem, url: string, placing: Placing): OutlinePage | undefined {
  if (isWebURL(url)) return linkPage(item, url, { href: url });
  report(placing, `${url.slice(0, 200)} is not a URL that can be linked`);
  return undefined;
}

/** Another space, or a page of it, by its id. */
const OTHER_SPACE = /^\/spaces\/[a-zA-Z0-9]{1,40}(?:\/pages\/[a-zA-Z0-9]{1,40})?$/;

function filePage(
  item: SummaryItem,
  target: { path: string; anchor?: string },
  level: Level,
  placing: Placing,
): OutlinePage | undefined {
  const { path, anchor } = target;
  const file = path === '' ? undefined : fileAt(path, placing);
  if (file === undefined) {
    // Exports write this for links to deleted pages.
    if (/^(?:\/broken\/|broken-reference$)/.test(path)) return linkPage(item, path, { href: path });
    if (OTHER_SPACE.test(path)) return linkPage(item, path, { href: anchor ? `${path}#${anchor}` : path });
    report(placing, `${path || `#${anchor}`} is listed but does not exist`);
    return item.children.length === 0 || anchor ? undefined : emptyPage(item, pageNameOf(placing.root, path), level);
  }
  if (anchor || !isMarkdown(file) || placing.listed.has(file)) {
    placing.targets.push(file);
    return linkPage(item, placing.options.titleOf(file) ?? nameOf(file), { file, ...(anchor && { anchor }) });
  }
  placing.listed.add(file);
  const name = pageNameOf(placing.root, file);
  const listed = splitEmoji(item.title);
  const title = listed.title || placing.options.titleOf(file)?.trim() || titleOfName(name);
  const { linkTitle } = item;
  const placed = placedAt(level, title, slugOf(name, 'page'));
  const { emoji } = listed;
  return { type: 'document', ...placed, ...(emoji && { emoji }), ...(linkTitle && { linkTitle }), file, children: [] };
}

function emptyPage(item: SummaryItem, name: string, level: Level): OutlinePage {
  const title = item.title || titleOfName(name) || 'Untitled';
  const { linkTitle } = item;
  return {
    type: 'document',
    ...placedAt(level, title, slugOf(name, 'page')),
    ...(linkTitle && { linkTitle }),
    children: [],
  };
}

function linkPage({ title, linkTitle }: SummaryItem, fallback: string, target: OutlineTarget): OutlinePage {
  return { type: 'link', title: title || linkTitle || fallback, ...(linkTitle && { linkTitle }), target };
}

function placedAt(level: Level, title: string, slug: string): Placed {
  const claimed = level.claim(slug);
  return { title, slug: claimed, path: level.path === '' ? claimed : `${level.path}/${claimed}` };
}

/** Links are relative to the table of contents; in a folder, they may also be relative to the root. */
function fileAt(path: string, { root, summary, find }: Placing): string | undefined {
  const bases = path.startsWith('/') ? [root] : [folderOf(summary), root];
  for (const base of bases) {
    const wanted = joinPath(base, path.replace(/^\/+/, ''));
    const found = wanted === undefined || !(wanted === root || isWithin(root, wanted)) ? undefined : find(wanted);
    if (found !== undefined) return found;
  }
  return undefined;
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

function assetsOf(files: readonly { path: string }[], { root, listed, options }: Placing): { path: string }[] {
  const assets = joinPath(root, '.gitbook/assets') ?? '';
  return files.flatMap(({ path }) => {
    if (listed.has(path)) return [];
    const shown = !isMarkdown(path) && !nameOf(path).startsWith('.') && options.isReferenced?.(path);
    return shown || isWithin(assets, path) ? [{ path }] : [];
  });
}

function isWebURL(url: string): boolean {
  if (url.length > 2048 || !URL.canParse(url, 'https://host')) return false;
  return ['http:', 'https:', 'mailto:', 'tel:'].includes(new URL(url, 'https://host').protocol);
}

function report({ problems, summary }: Placing, message: string): void {
  problems.push({ path: summary, message });
}
