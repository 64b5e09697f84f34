import type { TreeEntry } from '../../content/contract.js';
import type { Aggregated } from '../../insights/resources.js';
import { unlessRefused } from '../frame/refusals.js';
import type { ScreenRequest } from '../frame/screen.js';
import { treeOf } from '../reading/page-tree.js';
import { spacePlace } from '../reading/places.js';
import { valuesOf } from './daily-visits.js';

/** A page that readers viewed, and how often. */
export interface ViewedPage {
  title: string;
  /** Absent where the person who asks cannot read it. */
  href?: string;
  views: number;
  visitors: number;
}

/** Names the pages that an answer counts; those that are gone, or that the person who asks may not read, without their titles. */
export async function namedPages(request: ScreenRequest, answer: Aggregated): Promise<ViewedPage[]> {
  const { words, to } = request;
  const pages = valuesOf(answer, 'page');
  const spaces = [...new Set(pages.flatMap((page) => (page ? [page.space] : [])))];
  const known = new Map(await Promise.all(spaces.map(async (id) => [id, await pagesOf(request, id)] as const)));
  const views = valuesOf(answer, 'eventsCount');
  const visitors = valuesOf(answer, 'visitorsCount');
  return pages.map((page, row) => {
    const counted = { views: views[row] ?? 0, visitors: visitors[row] ?? 0 };
    const readable = page ? known.get(page.space) : undefined;
    const found = readable?.get(page?.page ?? '');
    if (found && page) return { title: found.title, href: to.page(page.space, found.path), ...counted };
    return { title: readable === null ? words.visits.hidden : words.visits.gone, ...counted };
  });
}

/** The pages of a space by their ids; null where the person who asks may not read it. */
async function pagesOf(request: ScreenRequest, space: string): Promise<Map<string, TreeEntry> | null> {
  const tree = await unlessRefused(
    spacePlace(request, space).then((place) => treeOf(request, place)),
    null,
  );
  if (!tree) return null;
  const pages = new Map<string, TreeEntry>();
  const collect = (entries: readonly TreeEntry[]): void => {
    for (const entry of entries) {
      pages.set(entry.id, entry);
      collect(entry.pages);
    }
  };
  collect(tree);
  return pages;
}
