import { reachesPlace } from '../../../shared/contract/caller.js';
import type { BodyOf, QueryOf } from '../../../shared/contract/operation.js';
import type { Call, Context, HandlersOf } from '../../../shared/contract/service.js';
import { conflict, invalid } from '../../../shared/errors/errors.js';
import type { Outbox } from '../../../shared/jobs/outbox.js';
import { listPage } from '../../../shared/lists/paging.js';
import { changesOf } from '../../../shared/store/changes.js';
import { type Filter, type HasStore, StoreDuplicate, write } from '../../../shared/store/port.js';
import { omitUndefined } from '../../../shared/values/omit-undefined.js';
import { claimDomains } from '../../identity/contract.js';
import type { siteOperations } from '../contract/sites.js';
import { customizationDeletion } from '../customization/model.js';
import { siteDeleted, sitePublished } from '../events.js';
import { mcpServerDeletion } from '../mcp-servers/model.js';
import { publishingDeletion } from '../publishing/model.js';
import { redirectDeletion } from '../redirects/model.js';
import type { HasRenderers } from '../renderers/renderers.js';
import { checkOpening } from '../sections/shown-content.js';
import { sitesShowing } from '../sections/shown-spaces.js';
import { sitesSeenBy } from '../site/access.js';
import type { HasDomainOwners } from '../site/domain-owners.js';
import { siteGrants } from '../site/grants.js';
import { domainsOf, isOpen, type SiteDocument, siteOf, sites } from '../site/model.js';
import type { Site } from '../site/resources.js';
import type { HasConfig } from '../site/urls.js';
import { structureDeletion } from '../structure/model.js';
import { setDefaultSection, setDefaultSiteSpace } from '../structure/rules.js';
import { type Structure, spacesOf } from '../structure/structure.js';
import type { HasStructures } from '../structure/structures.js';
import { createSite } from './new-site.js';
import { presentSites } from './presented-sites.js';
import { revalidateSite } from './revalidation.js';
import { applySiteTemplate } from './site-template.js';

export const siteHandlers = (
  deps: HasStore & HasConfig & HasRenderers & HasStructures & HasDomainOwners & { outbox: Outbox },
): HandlersOf<typeof siteOperations> => {
  const { store, structures, outbox } = deps;
  return {
    async listSites({ path: { organizationId: organization }, query }, { call, caller }) {
      const reached = caller.kind === 'installation' ? caller.sites : 'all';
      const seen = await sitesSeenBy(store, { caller, organization });
      const filter = await filterOf(deps, { organization, query, seen, reached });
      return listPage(store, sites, { filter, sort: { createdAt: 1 }, request: query }, (items) =>
        presentSites(deps, items, { call, caller }),
      );
    },

    async createSite({ path: { organizationId }, body }, context) {
      const site = await createSite(deps, { context, organization: organizationId, body });
      return present(deps, site, context);
    },

    applyTemplateToSite({ path: { organizationId: organization, siteId: id } }, context) {
      return applySiteTemplate(deps, { organization, id }, context);
    },

    async getSiteById({ path: { siteId } }, context) {
      return present(deps, await siteOf(store, siteId), context);
    },

    async updateSiteById({ path: { siteId }, body }, { call, caller, audit }) {
      const { adaptiveContent, defaultSiteSpace, defaultSiteSection, ...fields } = body;
      const decide = async ({ structure, site: before }: { structure: Structure; site: SiteDocument }) => {
        const defaults = updateDefaults(structure, { defaultSiteSpace, defaultSiteSection });
        const changes = changesOf(before, { ...fields, adaptiveContent: adaptiveContent?.enabled });
        if (changes && before.published && opens(before, changes.after))
          await checkOpening({ call, caller, spaces: spacesOf(structure) });
        await claimNames(deps, { call, organization: before.organization, fields });
        return {
          site: changes?.after ?? before,
          writes: changes
            ? [
                write.update(sites, { _id: siteId }, changes.update, { expect: 1 }),
                ...(await revalidateSite(deps, { call, states: [before, changes.after] })),
              ]
            : [],
          record: audit('site', siteId, { details: { ...changes?.details, ...defaults?.details } }),
        };
      };
      const { site } = await structures.change(siteId, decide).catch(rejectTaken);
      return present(deps, site, { call, caller });
    },

    async deleteSiteById({ path: { siteId } }, { call, audit }) {
      const site = await siteOf(store, siteId);
      await store.batch([
        write.delete(sites, { _id: siteId }, { expect: 1 }),
        ...structureDeletion(siteId),
        ...customizationDeletion(siteId),
        ...publishingDeletion(siteId),
        ...redirectDeletion(siteId),
        ...mcpServerDeletion(siteId),
        write.delete(siteGrants, { site: siteId }),
        ...(await revalidateSite(deps, { call, states: [site] })),
        outbox.add(siteDeleted, { organization: site.organization, site: siteId }),
        audit('site', siteId),
      ]);
    },

    publishSite: ({ path: { siteId } }, context) => setPublished(deps, { context, id: siteId, published: true }),
    unpublishSite: ({ path: { siteId } }, context) => setPublished(deps, { context, id: siteId, published: false }),
  };
};

/** Whether a change may show a published site to more visitors, or more of it: adaptive content decides which claims conditions read. */
const opens = (before: SiteDocument, after: SiteDocument): boolean =>
  before.adaptiveContent !== after.adaptiveContent || (before.visibility !== after.visibility && !isOpen(before));

interface Listed {
  organization: string;
  query: QueryOf<typeof siteOperations.listSites>;
  /** Which sites of the organization the caller sees. */
  seen: Filter<SiteDocument>;
  /** The ids of the sites that the caller may reach. */
  reached: 'all' | string[];
}

async function filterOf(
  { store }: HasStore,
  { organization, query: { space, title, published, type }, seen, reached }: Listed,
): Promise<Filter<SiteDocument>> {
  const filter: Filter<SiteDocument> = omitUndefined({
    organization,
    published,
    $and: Object.keys(seen).length > 0 ? [seen] : undefined,
    type: type && type.length > 0 ? { $in: type } : undefined,
    $contains: title ? { index: 'title', text: title } : undefined,
  });
  if (space === undefined) return reached === 'all' ? filter : { ...filter, _id: { $in: reached } };
  const ids: string[] = [];
  for await (const id of sitesShowing(store, { organization, space })) if (reachesPlace(reached, id)) ids.push(id);
  return { ...filter, _id: { $in: ids } };
}

const present = async (
  deps: HasStore & HasConfig & HasDomainOwners,
  site: SiteDocument,
  context: Pick<Context, 'call' | 'caller'>,
): Promise<Site> => (await presentSites(deps, [site], context))[0] as Site;

type Fields = Pick<BodyOf<typeof siteOperations.updateSiteById>, 'hostname' | 'proxy'>;

/** Has the domains looked up that a site is about to ask for. Throws 400 for one that organizations share. */
async function claimNames(
  { domainOwners }: HasDomainOwners,
  {
    call,
    organization,
    fields: { hostname = null, proxy = null },
  }: { call: Call; organization: string; fields: Fields },
): Promise<void> {
  if (domainsOf({ hostname }).some((domain) => domainOwners.isShared(domain)))
    throw invalid('hostname: must not be below the domain for sites of this installation');
  if (domainsOf({ proxy }).some((domain) => domainOwners.isShared(domain)))
    throw invalid('proxy: must not be below the domain for sites of this installation');
  const domains = [...new Set(domainsOf({ hostname, proxy }))];
  if (domains.length > 0) await call(claimDomains, { organization, domains });
}

/** Changes the default site space of a flat site, and the default section. */
function updateDefaults(
  structure: Structure,
  wanted: { defaultSiteSpace: string | undefined; defaultSiteSection: string | undefined },
) {
  const before = {
    _id: '',
    defaultSiteSpace: structure.siteSpaces.default,
    defaultSiteSection: structure.defaultSection,
  };
  if (wanted.defaultSiteSection !== undefined) setDefaultSection(structure, wanted.defaultSiteSection);
  if (wanted.defaultSiteSpace !== undefined) setDefaultSiteSpace(structure, null, wanted.defaultSiteSpace);
  return changesOf(before, wanted);
}

function rejectTaken(error: unknown): never {
  if (!(error instanceof StoreDuplicate)) throw error;
  const field = ['hostname', 'proxy'].find((name) => error.fields.includes(name)) ?? 'basename';
  throw conflict(`${field}: already taken`, 'taken');
}

/** Publishes or unpublishes a site; does nothing when it already is. */
async function setPublished(
  deps: HasStore & HasConfig & HasRenderers & HasDomainOwners & { outbox: Outbox },
  { context, id, published }: { context: Context; id: string; published: boolean },
): Promise<Site> {
  const { call, audit } = context;
  const before = await siteOf(deps.store, id);
  const changes = changesOf(before, { published });
  if (changes)
    await deps.store.batch([
      write.update(sites, { _id: id, published: before.published }, changes.update, { expect: 1 }),
      ...(await revalidateSite(deps, { call, states: [before] })),
      ...(published ? [deps.outbox.add(sitePublished, {})] : []),
      audit('site', id, { details: changes.details }),
    ]);
  return present(deps, changes?.after ?? before, context);
}
