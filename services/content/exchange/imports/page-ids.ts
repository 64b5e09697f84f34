import { posix } from 'node:path';
import { newId } from '../../../../shared/values/ids.js';
import { eachInSlices } from '../../../../shared/work/slices.js';
import { eachPageOf, isGenerated, type PageEntry, type RevisionView } from '../../core/revisions/revision-view.js';

/** The marks by which a page of an import is found among the pages of the revision before. */
export interface PageIdentity {
  type: PageEntry['type'];
  title: string;
  path: string;
  /** The file in the repository and the hash of its content, for pages that have one. */
  file?: { path: string; oid: string };
  href?: string;
}

export const newPageId = (): string => newId();

/** Assigns the ids of a revision's pages: a page keeps its id from import to import. */
export interface PageIds {
  /** Matches all pages by their file first, then moved pages by their content, then the rest by path and title, or by the name of the file and title. */
  assign(pages: PageIdentity[]): Promise<Map<PageIdentity, string>>;
}

interface Known {
  id: string;
  identity: PageIdentity;
}

type Key = (page: PageIdentity) => string | undefined;

const identityOfEntry = ({ type, title, path, git, href }: PageEntry): PageIdentity => ({
  type,
  title,
  path,
  ...(git ? { file: git } : {}),
  ...(href ? { href } : {}),
});

/** Strongest first. */
const keys: Key[] = [
  ({ file }) => file && `file ${file.path}`,
  ({ file }) => file && `content ${file.oid}`,
  ({ type, path, file }) => (file || type === 'link' ? undefined : `path ${type} ${path}`),
  ({ type, title, href, path }) => (type === 'link' ? `link ${path} ${title} ${href ?? ''}` : undefined),
  ({ type, title, path }) => `place ${type} ${path} ${title}`,
  // Who moves a file to another folder often changes it too, such as its links.
  ({ title, file }) => file && `name ${posix.basename(file.path)} ${title}`,
];

export function newPageIds(before: RevisionView | null): PageIds {
  return {
    async assign(pages) {
      const known: Known[] = [];
      await eachInSlices(eachPageOf(before?.pages ?? []), (page) => {
        if (!isGenerated(page)) known.push({ id: page.id, identity: identityOfEntry(page) });
      });
      const ids = new Map<PageIdentity, string>();
      const taken = new Set<string>();
      for (const key of keys) await matchPagesByKey(key, known, pages, ids, taken);
      for (const page of pages) if (!ids.has(page)) ids.set(page, newPageId());
      return ids;
    },
  };
}

/** Pages that are alike keep their ids in their order. */
async function matchPagesByKey(
  key: Key,
  known: Known[],
  pages: PageIdentity[],
  ids: Map<PageIdentity, string>,
  taken: Set<string>,
): Promise<void> {
  const free = new Map<string, string[]>();
  await eachInSlices(known, ({ id, identity }) => {
    const name = key(identity);
    if (name === undefined || taken.has(id)) return;
    const others = free.get(name);
    if (others) others.push(id);
    else free.set(name, [id]);
  });
  for (const list of free.values()) list.reverse();
  await eachInSlices(pages, (page) => {
    const name = ids.has(page) ? undefined : key(page);
    const id = name === undefined ? undefined : free.get(name)?.pop();
    if (id === undefined) return;
    taken.add(id);
    ids.set(page, id);
  });
}
