import type { Store } from '../../../../shared/store/port.js';
import type { PageEntry, RevisionView } from '../../core/revisions/revision-view.js';
import { LinkCollector, type Links } from './link-collector.js';
import { lackingAnchors } from './missing-anchors.js';
import { StoredLinks } from './stored-links.js';

/** Limits for one page. */
const room = { uses: 50_000, bytes: 32 * 1024 * 1024 };

/**
 * The links of a page. Reads its document, and for links with anchors those of their targets: no work for other pages. Throws 422 for
 * more links than a page may have.
 */
export async function linksOfPage(
  { store, baseUrl }: { store: Store; baseUrl: string },
  view: RevisionView,
  page: PageEntry,
): Promise<Links> {
  const stored = new StoredLinks({ store, space: view.revision.space });
  await stored.read(page.document === undefined ? [] : [page.document]);
  const collector = new LinkCollector({ view, baseUrl }, stored, room);
  await collector.collect([{ page }]);
  return { targets: collector.targets, lacking: await lackingAnchors(view, collector.eachTarget(), stored) };
}
