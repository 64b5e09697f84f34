import type { BlobLinks } from '../../../../shared/blobs/links.js';
import type { Encoded } from '../../../../shared/contract/encoded.js';
import type { Call } from '../../../../shared/contract/service.js';
import type { HasStore } from '../../../../shared/store/port.js';
import { sha256 } from '../../../../shared/values/ids.js';
import type { HasRevisions } from '../../core/revisions/revision-cache.js';
import { firstShownPage, type PageEntry, pageAtPath, type RevisionView } from '../../core/revisions/revision-view.js';
import { lateMark } from '../../format/html/marks.js';
import { encodeShownPage, type ShownBody, type ShownPage, type ShowPage } from '../contract.js';
import type { HasViews } from '../pages/visitors/visitor-view-cache.js';
import type { HasLateBlocks } from './late-blocks.js';
import { outsideTargets } from './outside-targets.js';
import { detailsOfPage } from './page-details.js';
import type { HasBodies } from './rendered-bodies.js';
import { treeKeyOf, viewOfVisitor } from './visited-view.js';

export type ShowsPages = HasStore & HasRevisions & HasViews & HasBodies & HasLateBlocks & { links: BlobLinks };

/** A page as a visitor sees it. */
export async function showPage(
  deps: ShowsPages,
  { visitor, path, known }: ShowPage,
  call: Call,
): Promise<Encoded<ShownPage | null>> {
  const visited = await viewOfVisitor(deps, visitor);
  const page = documentAt(visited.view, path);
  if (!page) return encodeShownPage(null);
  const { body, variant } = await deps.bodies.bodyOf(visited, page);
  const [outside, late, details] = await Promise.all([
    outsideTargets(deps, visitor, body.outside),
    deps.lateBlocks.htmlOf({ ...visited, call, blocks: body.late }),
    detailsOfPage(deps, { visited, visitor, page }),
  ]);
  const named = sha256(JSON.stringify([outside, details.metaLinks])).slice(0, 16);
  const key = [visited.view.revision._id, page.id, variant, late.version, named].join('.');
  const tree = treeKeyOf(visited);
  if (known === key) return encodeShownPage({ key, tree });
  const shown: ShownBody = {
    html: withLateBlocks(body.html, late.blocks),
    outline: body.outline.flatMap((entry) => ('late' in entry ? (late.blocks[entry.late]?.heading ?? []) : entry)),
    outside,
    frames: [...new Set(late.blocks.flatMap(({ frames }) => frames))],
    updates: body.updates,
  };
  return encodeShownPage({ key, tree, page: details, body: shown });
}

/** The document at a path: the first one of a group. */
export function documentAt(view: RevisionView, path: string): PageEntry | undefined {
  const found = pageAtPath(view, path);
  const page = found?.type === 'group' ? firstShownPage(found.pages) : found;
  return page?.type === 'document' ? page : undefined;
}

const withLateBlocks = (html: string, blocks: { html: string }[]): string =>
  blocks.length === 0 ? html : html.replace(lateMark, (_, position) => blocks[Number(position)]?.html ?? '');
