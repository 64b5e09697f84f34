import type { BlobLinks } from '../../../../shared/blobs/links.js';
import type { ContentCaller } from '../../../../shared/contract/caller.js';
import type { Encoded } from '../../../../shared/contract/encoded.js';
import type { Call } from '../../../../shared/contract/service.js';
import type { HasStore } from '../../../../shared/store/port.js';
import { sha256 } from '../../../../shared/values/ids.js';
import type { HasRevisions } from '../../core/revisions/revision-cache.js';
import { firstShownPage, type PageEntry, pageAtPath, type RevisionView } from '../../core/revisions/revision-view.js';
import { lateMark } from '../../format/html/marks.js';
import type { RenderedBody } from '../../format/html/rendered-body.js';
import { encodeShownPage, type ShownBody, type ShownPage, type ShowPage } from '../contract.js';
import type { HasViews } from '../pages/visitors/visitor-view-cache.js';
import type { HasLateBlocks } from './late-blocks.js';
import { outsideTargets } from './outside-targets.js';
import { detailsOfPage } from './page-details.js';
import type { HasBodies } from './rendered-bodies.js';
import { treeKeyOf, type VisitedView, viewOfVisitor } from './visited-view.js';

export type ShowsPages = HasStore & HasRevisions & HasViews & HasBodies & HasLateBlocks & { links: BlobLinks };

/** A page as a visitor sees it. */
export async function showPage(
  deps: ShowsPages,
  { visitor, path, known, namesBlocks = false }: ShowPage,
  call: Call,
): Promise<Encoded<ShownPage | null>> {
  const visited = await viewOfVisitor(deps, visitor);
  const page = documentAt(visited.view, path);
  if (!page) return encodeShownPage<ShownPage>(null);
  const { body, variant } = await deps.bodies.bodyOf(visited, page, { namesBlocks });
  const [{ outside, late }, details] = await Promise.all([
    laterParts(deps, { visitor, visited, body, call }),
    detailsOfPage(deps, { visited, visitor, page }),
  ]);
  const named = sha256(JSON.stringify([outside, details.metaLinks])).slice(0, 16);
  const key = [visited.view.revision._id, page.id, variant, late.version, named].join('.');
  const tree = treeKeyOf(visited);
  if (known === key) return encodeShownPage<ShownPage>({ key, tree });
  return encodeShownPage<ShownPage>({ key, tree, page: details, body: wholeBody(body, { outside, late }) });
}

interface RenderedFor {
  visitor: ContentCaller;
  visited: VisitedView;
  body: RenderedBody;
  call: Call;
}

/** Makes the parts of a body that depend on more than its revision. */
export async function laterParts(deps: ShowsPages, { visitor, visited, body, call }: RenderedFor) {
  const [outside, late] = await Promise.all([
    outsideTargets(deps, visitor, body.outside),
    deps.lateBlocks.htmlOf({ ...visited, call, blocks: body.late }),
  ]);
  return { outside, late };
}

/** The body with those parts. */
export const wholeBody = (
  { html, outline, updates }: RenderedBody,
  { outside, late: { blocks } }: Awaited<ReturnType<typeof laterParts>>,
): ShownBody => ({
  html: withLateBlocks(html, blocks),
  outline: outline.flatMap((entry) => ('late' in entry ? (blocks[entry.late]?.heading ?? []) : entry)),
  outside,
  frames: [...new Set(blocks.flatMap(({ frames }) => frames))],
  updates,
});

/** The document at a path: the first one of a group. */
export function documentAt(view: RevisionView, path: string): PageEntry | undefined {
  const found = pageAtPath(view, path);
  const page = found?.type === 'group' ? firstShownPage(found.pages) : found;
  return page?.type === 'document' ? page : undefined;
}

const withLateBlocks = (html: string, blocks: { html: string }[]): string =>
  blocks.length === 0 ? html : html.replace(lateMark, (_, position) => blocks[Number(position)]?.html ?? '');
