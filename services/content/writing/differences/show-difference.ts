import type { Encoded } from '../../../../shared/contract/encoded.js';
import { toVisitor } from '../../../../shared/expression/visitor.js';
import type { HasStore } from '../../../../shared/store/port.js';
import { omitUndefined } from '../../../../shared/values/omit-undefined.js';
import type { HasRevisions } from '../../core/revisions/revision-cache.js';
import type { BodyDifference } from '../../format/differences/difference.js';
import type { Presentation } from '../../reading/pages/pages.js';
import type { HasViews } from '../../reading/pages/visitors/visitor-view-cache.js';
import { sourceOfReusable } from '../../reading/showing/body-parts.js';
import { outsideTargets } from '../../reading/showing/outside-targets.js';
import { detailsOfPage } from '../../reading/showing/page-details.js';
import { visitorOfLink } from '../../reading/showing/print-links.js';
import { encodeShownDifference, type ShowDifference, type ShownDifference } from '../contract/differences.js';
import type { ComparedViews } from '../history/semantic-changes.js';
import type { BothSources, HasDifferences } from './body-differences.js';
import { changesOf } from './changes.js';
import { findViews, namesOfViews } from './compared-views.js';
import { differingFields } from './field-differences.js';
import { changesOfPage, pairOfPage, shownSides } from './page-changes.js';

type Dependencies = HasStore & HasRevisions & HasViews & HasDifferences & Presentation;

/** Everything of a difference but its body. */
type Described = Omit<ShownDifference, keyof Shown | 'revisions'> & { sources: BothSources | undefined };
type Shown = Pick<ShownDifference, 'form' | 'parts' | 'outside'>;

/** How a page, or a reusable content, differs between two contents of a space. */
export async function showDifference(
  deps: Dependencies,
  asked: ShowDifference,
): Promise<Encoded<ShownDifference | null>> {
  const { organization, space, spaces = [] } = asked;
  const views = { ...(await findViews(deps, asked)), presentation: deps };
  const visitor = { ...visitorOfLink({ organization, space }), spaces: [space, ...spaces] };
  const described =
    'page' in asked
      ? await describePage(deps, { views, visitor, id: asked.page })
      : describeReusable(views, asked.reusableContent);
  if (!described) return encodeShownDifference(null);
  const { sources, ...rest } = described;
  const body = sources ? await deps.differences.differenceOf(views, sources, organization) : withoutBody;
  const { outside: refs, parts } = body.form === 'tooLarge' ? { outside: [], parts: [] } : body;
  const outside = await outsideTargets(deps, visitor, refs);
  return encodeShownDifference({ revisions: namesOfViews(views), ...rest, form: body.form, parts, outside });
}

const withoutBody: BodyDifference = { form: 'blocks', parts: [], outside: [] };

interface PageQuestion {
  views: ComparedViews;
  visitor: ReturnType<typeof visitorOfLink>;
  id: string;
}

async function describePage(deps: Dependencies, { views, visitor, id }: PageQuestion): Promise<Described | undefined> {
  const pair = pairOfPage(views, id);
  const page = pair?.later ?? pair?.earlier;
  if (!pair || !page) return undefined;
  const { earlier, later } = pair;
  const view = later ? views.after : views.before;
  const visited = { view, visitor: toVisitor({}), organization: visitor.organization, variant: '' };
  const hasBody = earlier?.type === 'document' || later?.type === 'document';
  return {
    changes: changesOfPage(views, pair).changes,
    ...shownSides(pair),
    page: await detailsOfPage(deps, { visited, visitor, page }),
    fields: earlier && later ? differingFields(views, earlier, later) : [],
    sources: hasBody ? { name: `page ${id}`, earlier, later } : undefined,
  };
}

function describeReusable({ before, after }: ComparedViews, id: string): Described | undefined {
  const [was, is] = [before, after].map(({ reusable }) => reusable.find((entry) => entry.id === id));
  if (!was && !is) return undefined;
  const named = (entry: typeof is) => entry && { title: entry.title, path: '' };
  return {
    changes: changesOf({ before: was, after: is }, { name: 'title', holds: ['document'] }),
    ...omitUndefined({ before: named(was), after: named(is) }),
    fields: [],
    sources: {
      name: `reusable ${id}`,
      earlier: was && sourceOfReusable(was),
      later: is && sourceOfReusable(is),
    },
  };
}
