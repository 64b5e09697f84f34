import { conflict, invalid } from '../../../../shared/errors/errors.js';
import { type OwnFields, type PageTree, top } from '../../core/revisions/page-tree.js';
import { isGenerated } from '../../core/revisions/revision-view.js';
import { slugOf } from '../../format/space/paths.js';

/** Pages of a space, as an import may have. */
const maxPages = 20_000;
const maxFiles = 50_000;
/** Levels of pages. */
const maxDepth = 100;

export function pageIn(tree: PageTree, id: string, field = 'page'): OwnFields {
  const page = tree.page(id);
  if (!page) throw invalid(`${field}: there is no page ${id}`);
  checkWritten(page, field);
  return page;
}

/** Throws 400 for a page that no author wrote. */
export function checkWritten(page: Pick<OwnFields, 'id' | 'type' | 'computed'>, field: string): void {
  if (isGenerated(page))
    throw invalid(`${field}: ${page.id} is made from an OpenAPI specification; change the specification`);
}

/** The parent that a change names. Throws 400 for a page that cannot hold the other. */
export function parentFor(tree: PageTree, into: string | null | undefined, page?: OwnFields): string {
  if (into === null || into === undefined) return top;
  const parent = pageIn(tree, into, 'into');
  if (parent.type !== 'document' && parent.type !== 'group')
    throw invalid(`into: a ${parent.type} page holds no pages`);
  if (page?.type === 'group') throw invalid('into: a group stays at the top');
  const above = [into, ...tree.ancestorsOf(into)];
  if (page && above.includes(page.id)) throw invalid('into: a page cannot be moved below itself');
  checkLevels(above.length + (page ? levelsOf(tree, page.id) : 1), 'into');
  return into;
}

/** Throws 400 for a page whose place makes the tree too deep. */
export function checkDepth(tree: PageTree, id: string, field: string): void {
  checkLevels([...tree.ancestorsOf(id)].length + levelsOf(tree, id), field);
}

function checkLevels(levels: number, field: string): void {
  if (levels > maxDepth) throw invalid(`${field}: pages nest at most ${maxDepth} deep`);
}

/** The levels of a page and the pages below it. */
const levelsOf = (tree: PageTree, id: string): number =>
  1 + Math.max(0, ...tree.childrenOf(id).map((child) => levelsOf(tree, child)));

/** Throws 409 for more files than a space may have. */
export function checkFileRoom(count: number): void {
  if (count > maxFiles) throw conflict(`A space has at most ${maxFiles.toLocaleString('en')} files`, 'limit_reached');
}

/** Throws 409 for more pages than a space may have. */
export function checkRoom(count: number): void {
  if (count > maxPages) throw conflict(`A space has at most ${maxPages.toLocaleString('en')} pages`, 'limit_reached');
}

function siblingSlugs(tree: PageTree, parent: string, except?: string): Set<string> {
  const slugs = new Set<string>();
  for (const id of tree.childrenOf(parent)) {
    const page = id === except ? undefined : tree.page(id);
    if (page && page.type !== 'link') slugs.add(page.slug.toLowerCase());
    if (page?.type === 'computed')
      for (const made of tree.childrenOf(id)) slugs.add((tree.page(made) as OwnFields).slug.toLowerCase());
  }
  return slugs;
}

interface Slugged {
  parent: string;
  /** The page itself, whose slug is free for it. */
  page?: string;
}

/** Throws 409 when another page in the same place has the slug. */
export function checkSlug(tree: PageTree, slug: string, { parent, page }: Slugged): void {
  if (slug !== '' && siblingSlugs(tree, parent, page).has(slug.toLowerCase()))
    throw conflict(`slug: another page in this place has ${slug} already`, 'taken');
}

/** The slug that is asked for, or one made from the title that is free. */
export function slugFor(
  tree: PageTree,
  { slug, title, ...place }: Slugged & { slug?: string | undefined; title: string },
): string {
  if (slug !== undefined && slug !== '') {
    const wanted = slugOf(slug, 'page');
    checkSlug(tree, wanted, place);
    return wanted;
  }
  return freeSlug(tree, slugOf(title, 'page'), place);
}

/** The slug, with a number where another page in the same place has it. */
export function freeSlug(tree: PageTree, slug: string, { parent, page }: Slugged): string {
  const taken = siblingSlugs(tree, parent, page);
  let free = slug;
  for (let count = 1; taken.has(free.toLowerCase()); count++) {
    const suffix = `-${count}`;
    free = slug.slice(0, 100 - suffix.length) + suffix;
  }
  return free;
}
