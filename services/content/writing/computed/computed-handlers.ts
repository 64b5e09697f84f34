import { z } from 'zod';
import type { HasLinks } from '../../../../shared/blobs/links.js';
import type { HasBlobs } from '../../../../shared/blobs/port.js';
import { Encoded } from '../../../../shared/contract/encoded.js';
import type { BodyOf } from '../../../../shared/contract/operation.js';
import type { Context, HandlersOf } from '../../../../shared/contract/service.js';
import { apiError, notFound } from '../../../../shared/errors/errors.js';
import type { HasStore } from '../../../../shared/store/port.js';
import { safeParse } from '../../../../shared/text/schema-messages.js';
import { computeContent } from '../../contract.js';
import type { Computed } from '../../core/revisions/references.js';
import type { PageEntry, RevisionView } from '../../core/revisions/revision-view.js';
import { documentSchema, type PageBody } from '../../format/resources.js';
import type { HasWork } from '../../format/workers/page-work.js';
import type { SpecOutline } from '../../openapi/document/outline.js';
import { generatedPage, resolveComputed, specsIn } from '../../openapi/pages/computed-pages.js';
import {
  type DocumentProps,
  type PageOptions,
  type PlannedPage,
  pageOptions,
  planPages,
} from '../../openapi/pages/planned-pages.js';
import { eachPlanned } from '../../openapi/pages/stored-plan.js';
import { mayCompute } from '../../openapi/specs/find.js';
import { latestOutline } from '../../openapi/specs/latest-outline.js';
import { presentPage } from '../../reading/pages/pages.js';
import { type HasViews, visitorOfCaller } from '../../reading/pages/visitors/visitor-view-cache.js';
import type { computedOperations } from '../contract/computed.js';
import { pagesOfIntegration } from './integration-pages.js';

type Source = BodyOf<(typeof computedOperations)[keyof typeof computedOperations]>['source'];
type IntegrationSource = Extract<Source, { type: `integration:${string}` }>;
type SpecSource = Exclude<Source, IntegrationSource>;

const isOfIntegration = <S extends Source>(source: S): source is Extract<S, IntegrationSource> =>
  source.type !== 'builtin:openapi';

/** Has the script of an integration compute what a source stands for. */
const compute = (
  kind: 'document' | 'revision',
  source: IntegrationSource,
  { call, access }: Context,
  space: string,
) => {
  const [, integration = '', contentSource = ''] = source.type.split(':');
  const { props, dependencies } = source;
  return call(computeContent, {
    organization: access.organization,
    space,
    integration,
    contentSource,
    kind,
    props,
    dependencies,
  });
};

/** The operations that compute pages of specifications and store nothing. */
export function computedHandlers(
  deps: HasStore & HasBlobs & HasLinks & HasViews & HasWork & { baseUrl: string },
): HandlersOf<typeof computedOperations> {
  const { work, views } = deps;

  /** The content of the space, and the latest version. Throws 404 for one that the caller may not see, or that has no version. */
  const openContent = async (space: string, { dependencies }: SpecSource, { caller, access }: Context) => {
    const { spec: slug } = dependencies.spec.ref;
    const visitor = visitorOfCaller(caller);
    const view = await views.current(space, visitor);
    const isShown = mayCompute(caller, access.organization) || specsIn(view.pages).includes(slug);
    const found = isShown ? await latestOutline(deps, { organization: access.organization, slug }) : null;
    if (!found?.outline) throw notFound('OpenAPI specification');
    return { view, slug, found, outline: found.outline };
  };

  return {
    async getComputedDocument({ path: { spaceId }, body: { source } }, context) {
      if (isOfIntegration(source)) return documentOf(await compute('document', source, context, spaceId));
      const { slug, outline } = await openContent(spaceId, source, context);
      const page = pageNamed(source.props, outline, pageOptions(slug, { models: true }));
      if (!page) throw notFound('Page of the OpenAPI specification');
      return work.document({ source: page.source(), refs: new Map(), title: page.title }, context.access.organization);
    },
    async getComputedRevision({ path: { spaceId }, body: { source, seed } }, context) {
      if (isOfIntegration(source)) {
        const entries = pagesOfIntegration(await compute('revision', source, context, spaceId), seed);
        const current = await views.current(spaceId, visitorOfCaller(context.caller));
        return { pages: entries.map((page) => presentFrom(current, page)), files: [], reusableContents: [] };
      }
      const { view, slug, found, outline } = await openContent(spaceId, source, context);
      const plans = planPages(outline, pageOptions(slug, source.props));
      const pages = entriesOf(plans, { seed, computed: resolveComputed(source, found), below: '' });
      return { pages: pages.map((page) => presentFrom(view, page)), files: [], reusableContents: [] };
    },
  };

  function presentFrom(view: RevisionView, page: PageEntry) {
    return presentPage(deps, view, page, { metadata: false, variables: false, computed: true });
  }
}

function documentOf(answered: unknown): Encoded<PageBody> {
  const parsed = safeParse(z.object({ document: documentSchema }), answered);
  if (!parsed.success) throw apiError('UNPROCESSABLE', 'The integration answered no document', 'integration_failed');
  return Encoded.of(parsed.data.document);
}

/** The name of a page does not say how the pages of its specification are grouped, so both groupings are searched. */
function pageNamed(wanted: DocumentProps, outline: SpecOutline, options: PageOptions): PlannedPage | undefined {
  for (const byOperation of [false, true])
    for (const page of eachPlanned(planPages(outline, { ...options, byOperation })))
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
