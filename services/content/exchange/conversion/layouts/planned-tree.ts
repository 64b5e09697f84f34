import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { fileNameOf, folderOf, isInFolder, joinPath } from '../../../format/space/paths.js';
import { parseSpaceConfig } from '../../../format/space/settings/space-config.js';
import { locateParts } from '../../../format/space/source-parts.js';
import { isFields, readYaml } from '../../../format/space/yaml.js';
import { bounds } from '../bounds.js';
import { decodeText } from '../decoded-text.js';
import { convertWikiLinks, wikiAddressOf } from '../markdown/wiki-links.js';
import type { ArchivePage, Flavour, GivenFile, PlannedTree } from '../model.js';
import { readConfluenceTree } from './confluence-tree.js';
import { type Category, treeByFolders } from './folder-tree.js';
import { readListedTree } from './listed-tree.js';
import { isHtmlPath, isMarkdownPath, withoutExtension } from './page-names.js';

export interface Planning {
  files: GivenFile[];
  source: 'zip' | 'confluence' | 'notion' | 'github-wiki' | 'google-docs';
}

/** Generated pages of documentation tools that are no content. */
const generated = /(?:^|\/)(?:404|search|genindex|py-modindex|print|toc|search\.html)\.html?$/i;
const maxText = 2_000_000;

/** Finds the pages of an archive, and the tree that they are. */
export function planTree({ files, source }: Planning): PlannedTree {
  const given = new Files(files);
  const { flavour, root } = recognizeLayout(given, source);
  const pages = findPagePaths(given, { flavour, root });
  const tree = buildTree(given, { flavour, root, pages });
  return { flavour, root, pages: tree.filter(({ path, children }) => path !== undefined || children.length > 0) };
}

/** The files of an archive by their paths. */
class Files {
  readonly byPath: ReadonlyMap<string, GivenFile>;
  readonly paths: readonly string[];

  constructor(files: readonly GivenFile[]) {
    this.byPath = new Map(files.map((file) => [file.path, file]));
    this.paths = [...this.byPath.keys()].sort();
  }

  has(path: string): boolean {
    return this.byPath.has(path);
  }

  find(test: (path: string) => boolean): string | undefined {
    return this.paths.find(test);
  }

  /** The text of a small file. */
  readText(path: string): string | undefined {
    const file = this.byPath.get(path);
    return file && file.size <= maxText ? decodeText({ bytes: readFileSync(file.file) }) : undefined;
  }

  /** The first bytes of a file as text. */
  readHead(path: string): string {
    const file = this.byPath.get(path);
    if (!file) return '';
    const start = Buffer.alloc(4096);
    const opened = openSync(file.file, 'r');
    try {
      return start.subarray(0, readSync(opened, start)).toString('utf8');
    } finally {
      closeSync(opened);
    }
  }
}

interface Layout {
  flavour: Flavour;
  root: string;
}

/** Recognises by the settings in an archive which generator it is for, and finds the folder of its pages. */
function recognizeLayout(files: Files, source: Planning['source']): Layout {
  if (source === 'github-wiki') return { flavour: 'wiki', root: '' };
  if (source === 'notion') return { flavour: 'notion', root: sharedFolder(files) };
  if (source === 'confluence') return { flavour: 'confluence', root: sharedFolder(files) };
  const shared = sharedFolder(files);
  const pathInShared = (path: string) => joinPath(shared, path) ?? shared;
  if (files.has(pathInShared('book.toml')))
    return { flavour: 'mdbook', root: pathInShared(mdbookFolder(files.readText(pathInShared('book.toml')))) };
  const configured = files.readText(pathInShared('.gitbook.yaml'));
  if (configured !== undefined) return { flavour: 'gitbook', root: pathInShared(parseSpaceConfig(configured).root) };
  const hasConfig = (name: RegExp) =>
    files.find((path) => folderOf(path) === shared && name.test(fileNameOf(path))) !== undefined;
  const isDocusaurus =
    hasConfig(/^docusaurus\.config\.[a-z]+$/) ||
    files.find((path) => fileNameOf(path) === '_category_.json') !== undefined;
  const hasDocs = files.find((path) => isInFolder(pathInShared('docs'), path) && isMarkdownPath(path)) !== undefined;
  if (isDocusaurus) return { flavour: 'docusaurus', root: hasDocs ? pathInShared('docs') : shared };
  if (hasConfig(/^mkdocs\.ya?ml$/) && hasDocs) return { flavour: 'plain', root: pathInShared('docs') };
  return {
    flavour: files.has(pathInShared('src/SUMMARY.md')) ? 'mdbook' : isGitBookArchive(files) ? 'gitbook' : 'plain',
    root: files.has(pathInShared('src/SUMMARY.md')) ? pathInShared('src') : shared,
  };
}

const isGitBookArchive = (files: Files): boolean =>
  files.find((path) => path.startsWith('.gitbook/') || path.includes('/.gitbook/')) !== undefined;

const mdbookFolder = (settings: string | undefined): string =>
  /^\s*src\s*=\s*"([^"\n]{1,200})"/m.exec(settings ?? '')?.[1] ?? 'src';

/** The folder that everything is in. */
function sharedFolder({ paths }: Files): string {
  const [first, ...others] = paths;
  if (first === undefined) return '';
  let shared = folderOf(first);
  for (const path of others) while (!isInFolder(shared, path)) shared = folderOf(shared);
  return shared;
}

function findPagePaths(files: Files, { flavour, root }: Layout): string[] {
  const inside = files.paths.filter((path) => isInFolder(root, path) && !hasHiddenFolder(path, root));
  const tables = flavour === 'notion' ? inside.filter((path) => isTablePath(files, path)) : [];
  const markdown = inside.filter((path) => isMarkdownPath(path) && !/^_(?!index)/.test(fileNameOf(path)));
  const html = inside.filter((path) => isHtmlPath(path) && !generated.test(path));
  const isBook = flavour === 'mdbook' || flavour === 'docusaurus' || flavour === 'wiki';
  const pages = isBook && markdown.length > 0 ? markdown : [...markdown, ...html];
  if (flavour === 'confluence') return pages.filter((path) => fileNameOf(path) !== 'index.html');
  return [...pages.filter((path) => !isSummaryPath(path)), ...tables].slice(0, bounds.pages + 1);
}

const isSummaryPath = (path: string) => /(?:^|\/)summary\.md$/i.test(path);

const hasHiddenFolder = (path: string, root: string): boolean =>
  path
    .slice(root.length)
    .split('/')
    .some((name) => name.startsWith('.'));

/** A database of Notion, which is exported twice. */
const isTablePath = (files: Files, path: string): boolean =>
  /\.csv$/i.test(path) && !(/_all\.csv$/i.test(path) && files.has(path.replace(/_all\.csv$/i, '.csv')));

function buildTree(files: Files, { flavour, root, pages }: Layout & { pages: string[] }): ArchivePage[] {
  const known = new Set(pages);
  const pageAt = (path: string) => (known.has(path) ? path : [...candidatePaths(path)].find((each) => known.has(each)));
  if (flavour === 'wiki') return buildWikiTree(files, pages);
  if (flavour === 'confluence') {
    const index = files.find((path) => fileNameOf(path) === 'index.html' && isInFolder(root, path));
    const html = index === undefined ? undefined : files.readText(index);
    const listed =
      html === undefined ? [] : readConfluenceTree({ html, path: index as string, has: (path) => known.has(path) });
    return addUnlistedPages(listed, pages, files, root);
  }
  const summary = files.find((path) => isSummaryPath(path) && folderOf(path) === root);
  const text = summary === undefined ? undefined : files.readText(summary);
  const listed = text === undefined ? [] : readListedTree({ text, path: summary as string, pageAt });
  return listed.length > 0 ? listed : addUnlistedPages([], pages, files, root);
}

const candidatePaths = (path: string): string[] =>
  ['.md', '.mdx', '.markdown', '.html', '/README.md', '/index.md', '/index.html'].map(
    (end) => path.replace(/\/$/, '') + end,
  );

/** Pages that no list names come after the others, as their folders are. */
function addUnlistedPages(listed: ArchivePage[], pages: readonly string[], files: Files, root: string): ArchivePage[] {
  const known = new Set([...eachArchivePage(listed)].map(({ path }) => path));
  const paths = pages.filter((path) => !known.has(path));
  const categoryOf = (folder: string) => readCategory(files, folder);
  return [
    ...listed,
    ...treeByFolders({ paths, root, positionOf: (path) => readSidebarPosition(files, path), categoryOf }),
  ];
}

export function* eachArchivePage(pages: readonly ArchivePage[]): Generator<ArchivePage> {
  for (const page of pages) {
    yield page;
    yield* eachArchivePage(page.children);
  }
}

function readSidebarPosition(files: Files, path: string): number | undefined {
  if (!isMarkdownPath(path)) return undefined;
  const text = files.readHead(path);
  const { yaml } = locateParts(text);
  const said =
    yaml &&
    /^(?:sidebar_position|nav_order|weight|order):\s*(-?\d{1,9}(?:\.\d{1,9})?)\s*$/m.exec(
      text.slice(yaml.from, yaml.to),
    )?.[1];
  return said === undefined ? undefined : Number(said);
}

/** Reads the settings of a folder as Docusaurus has them. */
function readCategory(files: Files, folder: string): Category {
  const path = ['_category_.json', '_category_.yml', '_category_.yaml']
    .map((name) => `${folder}/${name}`)
    .find((each) => files.has(each));
  const text = path === undefined ? undefined : files.readText(path);
  const { value } = text === undefined ? { value: undefined } : readYaml(text);
  if (!isFields(value)) return {};
  const { label, position, link } = value;
  const id = isFields(link) && link.type === 'doc' && typeof link.id === 'string' ? link.id : undefined;
  const page =
    id === undefined
      ? undefined
      : files.find((each) => withoutExtension(each).endsWith(`/${id}`) && isInFolder(folder, each));
  return {
    label: typeof label === 'string' ? label.slice(0, 255) : undefined,
    position: typeof position === 'number' ? position : undefined,
    path: page,
  };
}

/** The pages of a wiki have no folders; its sidebar orders them. */
function buildWikiTree(files: Files, pages: readonly string[]): ArchivePage[] {
  const byName = new Map(pages.map((path) => [wikiKey(path), path]));
  const pageAt = (path: string) => byName.get(wikiKey(path));
  const sidebar = files.find((path) => /^_sidebar\.(?:md|markdown)$/i.test(fileNameOf(path)));
  const text = convertWikiLinks(sidebar === undefined ? '' : (files.readText(sidebar) ?? ''));
  const home = pages.filter((path) => /^home\./i.test(fileNameOf(path)));
  const listed = readListedTree({ text, path: '', pageAt }).filter(
    ({ path, children }) => path !== home[0] || children.length > 0,
  );
  const known = new Set([...eachArchivePage(listed)].map(({ path }) => path));
  const others = pages.filter((path) => path !== home[0] && !known.has(path));
  const pageOf = (path: string): ArchivePage => ({ path, name: wikiTitle(path), children: [] });
  return [...home.slice(0, 1).map(pageOf), ...listed, ...others.map(pageOf)];
}

const wikiTitle = (path: string) => withoutExtension(fileNameOf(path)).replace(/-/g, ' ');

/** Names of pages of a wiki are compared without their folder, case and the difference between spaces and dashes. */
export const wikiKey = (path: string): string =>
  wikiAddressOf(withoutExtension(fileNameOf(path)))
    .normalize('NFC')
    .toLowerCase();
