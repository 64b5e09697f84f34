import type { BodyOf } from '../../../shared/contract/operation.js';
import type { Context, HandlersOf } from '../../../shared/contract/service.js';
import { notFound } from '../../../shared/errors.js';
import type { computedOperations } from '../contract/reading.js';
import type { contentContract } from '../contract.js';
import type { ContentDependencies } from '../dependencies.js';
import { latestOutline } from '../openapi/latest-outline.js';
import type { SpecOutline } from '../openapi/outline.js';
import { generatedPage, resolved, specsIn } from '../openapi/pages/computed-pages.js';
import {
  type DocumentProps,
  type PageOptions,
  type PlannedPage,
  pageOptions,
  plannedPages,
} from '../openapi/pages/planned-pages.js';
import { eachPlanned } from '../openapi/pages/stored-plan.js';
import { presentPage } from '../reading/pages.js';
import { visitorOfCaller } from '../reading/visitor-view-cache.js';
import type { Computed } from '../revisions/references.js';
import type { PageEntry, RevisionView } from '../revisions/revision-view.js';

type Source = BodyOf<(typeof computedOperations)[keyof typeof computedOperations]>['source'];

/** The operations that compute pages of specifications and store nothing. */
export function computedHandlers(
  deps: ContentDependencies,
): HandlersOf<typeof contentContract, typeof computedOperations> {
  const { work, views } = deps;

  /** The content of the space, and the latest version. Throws 404 for one that the caller may not see, or that has no version. */
  const opened = async (space: string, { dependencies }: Source, { caller, access }: Context) => {
    const { spec: slug } = dependencies.spec.ref;
    const visitor = visitorOfCaller(caller);
    const view = await views.current(space, visitor);
    const isShown = !visitor || specsIn(view.pages).includes(slug);
    const found = isShown ? await latestOutline(deps, { organization: access.organization, slug }) : null;
    if (!found?.outline) throw notFound('OpenAPI specification');
    return { view, slug, found, outline: found.outline };
  };

  return {
    async getComputedDocument({ path: { spaceId }, body: { source } }, context) {
      const { slug, outline } = await opened(spaceId, source, context);
      const page = pageNamed(source.props, outline, pageOptions(slug, { models: true }));
      if (!page) throw notFound('Page of the OpenAPI specification');
      return work.document({ source: page.source(), refs: new Map(), title: page.title }, context.access.organization);
    },
    async getComputedRevision({ path: { spaceId }, body: { source, seed } }, context) {
      const { view, slug, found, outline } = await opened(spaceId, source, context);
      const plans = plannedPages(outline, pageOptions(slug, source.props));
      const pages = entriesOf(plans, { seed, computed: resolved(source, found), below: '' });
      return { pages: pages.map((page) => presented(view, page)), files: [], reusableContents: [] };
    },
  };

  function presented(view: RevisionView, page: PageEntry) {
    return presentPage(deps, view, page, { metadata: false, variables: false, computed: true });
  }
}

/** What names a page does not say how the pages of its specification are grouped. */
function pageNamed(wanted: DocumentProps, outline: SpecOutline, options: PageOptions): PlannedPage | undefined {
  for (const byOperation of [false, true])
    for (const page of eachPlanned(plannedPages(outline, { ...options, byOperation })))
      if (isSame(page.props, wanted)) return page;
  return undefined;
}

const isSame = (props: DocumentProps, wanted: DocumentProps): boolean =>
  props.doc === wanted.doc && (!('page' in props) || ('page' in wanted && props.page === wanted.page));

interface Below {
  seed: string;
  computed: Computed;
  below: string;
}

const entriesOf = (plans: PlannedPage[], { seed, computed, below }: Below): PageEntry[] =>
  plans.map((plan) => {
    const path = `${below}${plan.slug}`;
    const pages = entriesOf(plan.pages, { seed, computed, below: `${path}/` });
    return { ...generatedPage(plan, { seed, computed, path }), pages };
  });
