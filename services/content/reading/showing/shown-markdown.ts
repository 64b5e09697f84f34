import { Encoded } from '../../../../shared/contract/encoded.js';
import type { HasStore } from '../../../../shared/store/port.js';
import type { HasRevisions } from '../../core/revisions/revision-cache.js';
import type { HasWork } from '../../format/workers/page-work.js';
import type { ShownMarkdown, ShowPage } from '../contract.js';
import { pageMarkdown } from '../pages/page-bodies.js';
import type { Presentation } from '../pages/pages.js';
import type { HasViews } from '../pages/visitors/visitor-view-cache.js';
import { shownPath } from './page-places.js';
import { documentAt } from './shown-page.js';
import { viewOfVisitor } from './visited-view.js';

/** A page as Markdown that can be read outside the space, as a visitor sees it. */
export async function showMarkdown(
  deps: HasStore & HasWork & Presentation & HasRevisions & HasViews,
  { visitor, space, path }: ShowPage & { space?: string },
): Promise<Encoded<ShownMarkdown | null>> {
  const { view, organization } = await viewOfVisitor(deps, visitor, space);
  const page = documentAt(view, path);
  if (!page) return Encoded.of(null);
  const markdown = await pageMarkdown(deps, { view, organization, page, claims: visitor.claims });
  return Encoded.of({ title: page.title, path: shownPath(view, page), markdown });
}
