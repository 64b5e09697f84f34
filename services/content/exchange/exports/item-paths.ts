import { eachInSlices } from '../../../../shared/work/slices.js';
import type { FileEntry, ReusableEntry } from '../../core/revisions/model.js';
import { eachPageOf, isGenerated, type PageEntry, type RevisionView } from '../../core/revisions/revision-view.js';
import { folderOf, isReadmeFile, newSlugClaims, pageNameOf, slugOf } from '../../format/space/paths.js';
import { GitFailure } from '../git/command/failure.js';

/** Where in a repository a space lies. */
export interface ExportFolder {
  /** The folder of `.gitbook.yaml`. */
  directory: string;
  /** The folder of the space. */
  root: string;
}

/** The files of a space in a repository. */
export interface ItemPaths {
  /** The path of the file of each page, file and reusable content that has one, by its id. */
  paths: ReadonlyMap<string, string>;
  /** The pages whose file gets another name, with the path that it had. */
  renamed: ReadonlyMap<string, string>;
}

interface Assigning {
  view: RevisionView;
  /** The content that space and repository shared last. */
  base: RevisionView | undefined;
  place: ExportFolder;
  /** The folder that the paths of the content are from; that of `place` unless it is exported to another. */
  from: string;
  /** The paths in use on the branch. */
  theirs: Iterable<string>;
}

/** A page that an author writes has a file when it has a document, or something to say that the table of contents cannot. */
export const hasFile = (page: PageEntry): boolean =>
  page.type === 'document' &&
  !isGenerated(page) &&
  (page.document !== undefined || page.git !== undefined || hasMetadata(page));

const metadata = ['emoji', 'icon', 'description', 'hidden', 'noIndex', 'noRobotsIndex', 'condition'] as const;

const hasMetadata = (page: PageEntry): boolean => metadata.some((name) => page[name] !== undefined);

/**
 * Gives each page, file and reusable content its place in the repository. What has one keeps it, unless an import would read another
 * slug from the name of a page's file. New names follow the paths of pages, and never take one that is in use.
 */
export async function assignPaths(assigning: Assigning): Promise<ItemPaths> {
  const { view, base, theirs } = assigning;
  const names = new Names(assigning.place.root, theirs);
  const paths = new Map<string, string>();
  await eachInSlices(exportedItems(view), (item) => {
    const known = item.git?.path ?? earlierPath(base, item.id);
    const path = known === undefined ? undefined : relocatePath(known, assigning);
    if (path !== undefined && names.takeKnownPath(path)) paths.set(item.id, path);
  });
  const renamed = new Map<string, string>();
  await eachInSlices(misnamedPages(assigning, paths), (page) => {
    const path = paths.get(page.id);
    if (path !== undefined) renamed.set(page.id, path);
    paths.set(page.id, path === undefined ? names.choosePagePath(page) : names.chooseRenamedPath(path, page.slug));
  });
  await eachInSlices(exportedItems(view), (item) => {
    if (paths.has(item.id)) return;
    if ('blob' in item) paths.set(item.id, names.chooseFilePath(item));
    else if (!('slug' in item)) paths.set(item.id, names.chooseReusablePath(item));
    else if (hasFile(item)) paths.set(item.id, names.choosePagePath(item));
  });
  return { paths, renamed };
}

/** In reading order, so that each run of an export gives the same names. A page that others include is written once, as a page. */
function* exportedItems(view: RevisionView): Generator<PageEntry | FileEntry | ReusableEntry> {
  yield* eachPageOf(view.pages);
  yield* view.files;
  yield* view.reusable.filter(({ git }) => !git || !view.pageByFile.has(git.path));
}

/** Where the repository had an item. */
export const earlierPath = (base: RevisionView | undefined, id: string): string | undefined =>
  base?.pageById.get(id)?.git?.path ?? base?.fileById.get(id)?.git?.path;

/** A path in the folder that it is exported to. */
export function relocatePath(path: string, { from, place }: Pick<Assigning, 'from' | 'place'>): string {
  if (from === place.directory) return path;
  const inside = from === '' ? path : path.startsWith(`${from}/`) ? path.slice(from.length + 1) : path;
  return place.directory === '' ? inside : `${place.directory}/${inside}`;
}

/** The pages of which an import would read another slug from the name of their file, or from their title. */
function* misnamedPages({ view, base, place }: Assigning, paths: ReadonlyMap<string, string>): Generator<PageEntry> {
  const listsOf = (each: RevisionView | undefined) =>
    each
      ? [each.pages, ...[...eachPageOf(each.pages)].flatMap(({ type, pages }) => (type === 'computed' ? [] : [pages]))]
      : [];
  const known = new Set(listsOf(base));
  for (const siblings of listsOf(view))
    if (siblings.length > 0 && !known.has(siblings)) yield* misnamedSiblings(siblings, place.root, paths);
}

function misnamedSiblings(siblings: PageEntry[], root: string, paths: ReadonlyMap<string, string>): PageEntry[] {
  const slugged = siblings.filter(({ type }) => type !== 'link');
  const read = new Map(slugged.map((page) => [page, readSlug(page, root, paths.get(page.id))]));
  const misnamed = new Set<PageEntry>();
  for (;;) {
    const claim = newSlugClaims();
    const wrong = slugged.filter((page) => claim(read.get(page) as string) !== page.slug);
    const more = wrong.filter((page) => page.type === 'document' && read.get(page) !== page.slug);
    if (more.length === 0) return [...misnamed];
    for (const page of more) {
      misnamed.add(page);
      read.set(page, page.slug);
    }
  }
}

/** The slug that an import reads, before it makes it unique among siblings. */
function readSlug(page: PageEntry, root: string, path: string | undefined): string {
  if (path !== undefined) return slugOf(pageNameOf(root, path), 'page');
  return page.type === 'group' || hasFile(page) ? page.slug : slugOf(page.title, 'page');
}

/** Characters of the name of a file. */
const maxName = 120;

/** The names of files, none of them twice, also where case makes no difference. */
class Names {
  private readonly taken = new Set<string>();
  private readonly theirs = new Set<string>();
  private readonly folders = new Set<string>();

  constructor(
    private readonly root: string,
    theirs: Iterable<string>,
  ) {
    for (const path of theirs) this.notePath(path.toLowerCase());
  }

  private notePath(path: string): void {
    this.theirs.add(path);
    for (let folder = folderOf(path); folder !== '' && !this.folders.has(folder); folder = folderOf(folder))
      this.folders.add(folder);
  }

  /** Whether something has the path, needs it as a folder, or stands where one of its folders would be. */
  private isInUse(path: string): boolean {
    if (this.theirs.has(path) || this.folders.has(path)) return true;
    for (let folder = folderOf(path); folder !== '' && !this.folders.has(folder); folder = folderOf(folder))
      if (this.theirs.has(folder)) return true;
    return false;
  }

  /** Takes a path that something has already; false when it is another's. */
  takeKnownPath(path: string): boolean {
    if (this.taken.has(path)) return false;
    this.taken.add(path);
    this.notePath(path.toLowerCase());
    return true;
  }

  choosePagePath({ path, slug, pages }: PageEntry): string {
    const [alone, above] = [`${path}.md`, `${path}/README.md`];
    const names = pages.length > 0 || isReadmeFile(alone) ? [above, alone] : [alone, above];
    return this.chooseFreePath(names, namesInFolders(folderOf(path), `${slug}.md`));
  }

  chooseRenamedPath(path: string, slug: string): string {
    const folder = folderOf(path);
    const inside = folder === this.root ? '' : this.pathInRoot(folder);
    const names =
      isReadmeFile(path) && inside !== ''
        ? [joinFolder(folderOf(inside), `${slug}/README.md`), joinFolder(folderOf(inside), `${slug}.md`)]
        : [joinFolder(inside, `${slug}.md`), joinFolder(inside, `${slug}/README.md`)];
    const good = names.filter((name) => slugOf(pageNameOf('', name), '') === slug);
    return this.chooseFreePath(good, namesInFolders(inside, `${slug}.md`));
  }

  chooseFilePath({ name }: FileEntry): string {
    const plain =
      name
        .replace(/[\\/\p{Cc}:*?"<>|]/gu, '-')
        .replace(/^\.+/, '')
        // On some systems it is another name of the folder of Git, which takes no file of that name.
        .replace(/^git~/i, 'git-')
        .trim()
        .slice(-maxName) || 'file';
    const dot = plain.lastIndexOf('.');
    const [stem, ending] = dot > 0 ? [plain.slice(0, dot), plain.slice(dot)] : [plain, ''];
    return this.chooseFreePath(
      [],
      numberedNames((count) => `${this.gitbookFolder('assets')}/${stem}${count}${ending}`),
    );
  }

  chooseReusablePath({ title }: ReusableEntry): string {
    const slug = slugOf(title, 'content');
    return this.chooseFreePath(
      [],
      numberedNames((count) => `${this.gitbookFolder('includes')}/${slug}${count}.md`),
    );
  }

  /** A folder that has its name from the format. */
  private gitbookFolder(name: string): string {
    const folder = `.gitbook/${name}`;
    const blocking = ['.gitbook', folder].find((path) => this.theirs.has(joinFolder(this.root, path).toLowerCase()));
    if (blocking === undefined) return folder;
    throw new GitFailure(
      'conflict',
      `the repository has a file ${joinFolder(this.root, blocking)} where a folder has to be`,
    );
  }

  private pathInRoot(path: string): string {
    return this.root !== '' && path.startsWith(`${this.root}/`) ? path.slice(this.root.length + 1) : path;
  }

  /** The first of the names, which are from the root, that is free. `others` has no end. */
  private chooseFreePath(names: string[], others: Generator<string, never>): string {
    for (let at = 0; ; at++) {
      const path = joinFolder(this.root, names[at] ?? others.next().value);
      if (this.isInUse(path.toLowerCase())) continue;
      this.takeKnownPath(path);
      return path;
    }
  }
}

const joinFolder = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);

function* numberedNames(name: (count: string) => string): Generator<string, never> {
  yield name('');
  for (let count = 1; ; count++) yield name(`-${count}`);
}

/** The slug of a page comes from the name of its file alone, so the folder may have any name. */
function* namesInFolders(folder: string, name: string): Generator<string, never> {
  for (let count = 2; ; count++) {
    yield joinFolder(folder, `${count}/${name}`);
    // A file may stand where the folder would be.
    yield `${count}/${name}`;
  }
}
