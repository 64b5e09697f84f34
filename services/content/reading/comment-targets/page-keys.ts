import { scaleMs } from '../../../../shared/settings/time-scale.js';
import type { HasStore } from '../../../../shared/store/port.js';
import { unlessTaskFailed } from '../../../../shared/workers/workers.js';
import type { PageEntry, RevisionView } from '../../core/revisions/revision-view.js';
import type { HasWork } from '../../format/workers/page-work.js';
import { documentBody } from '../pages/page-bodies.js';

/** Limit for the pages of one question. */
const maxPages = 50;
const atOnce = 4;
/** Milliseconds after which no more pages of a question are looked at. */
const maxMs = scaleMs(2000);

interface Looking {
  organization: string;
  view: RevisionView;
  pages: PageEntry[];
}

/** The keys of the blocks of pages, by the ids of the pages, without those of pages that are too many, or take too long to parse. */
export async function keysOfPages(
  deps: HasStore & HasWork,
  { organization, view, pages }: Looking,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const found = new Map<string, ReadonlySet<string>>();
  const look = async (page: PageEntry) => {
    const body = await documentBody(deps, { view, body: page });
    const keys = await deps.work.blockKeys(body, organization).catch(unlessTaskFailed);
    if (keys) found.set(page.id, keys);
  };
  const looked = pages.slice(0, maxPages);
  const until = performance.now() + maxMs;
  for (let start = 0; start < looked.length && performance.now() < until; start += atOnce)
    await Promise.all(looked.slice(start, start + atOnce).map(look));
  return found;
}
