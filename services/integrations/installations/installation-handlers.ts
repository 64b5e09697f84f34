import { type Caller, membershipOf, tunnelOf } from '../../../shared/contract/caller.js';
import type { BodyOf } from '../../../shared/contract/operation.js';
import type { Context, HandlersOf } from '../../../shared/contract/service.js';
import { forbidden } from '../../../shared/errors/errors.js';
import { listPage } from '../../../shared/lists/paging.js';
import { again } from '../../../shared/store/again.js';
import { eachDocument, type Filter, type HasStore } from '../../../shared/store/port.js';
import { mayPublish, organizationsOf } from '../catalogue/access.js';
import { queryFilter } from '../catalogue/filters.js';
import { findIntegration } from '../catalogue/find.js';
import { type IntegrationDocument, integrations } from '../catalogue/model.js';
import { presentIntegrations } from '../catalogue/present.js';
import type { installationOperations } from '../contract/installations.js';
import { type FoundInstallation, findInstallation, type InstallationDependencies } from './find.js';
import { checkSelections, install } from './installing.js';
import { type InstallationDocument, installations } from './model.js';
import { hideConfiguration, presentInstallation, presentInstallations, sizes } from './present.js';
import { administers } from './reach/administering.js';
import { findInstallations } from './reach/coverage.js';
import { uninstall } from './uninstalling.js';
import { changesOfInstalled } from './updating.js';

type Operations = typeof installationOperations;

/** Installations of integrations in organizations. */
export function installationHandlers(deps: InstallationDependencies): HandlersOf<Operations> {
  const { store, tokens } = deps;
  const sort = { createdAt: -1 } as const;

  const mayRead = async ({ caller }: Pick<Context, 'caller'>, found: FoundInstallation): Promise<boolean> =>
    caller.kind !== 'user' || administers(deps, caller, found);

  /** The integration itself sees all of its installations, people those of the organizations in which they may install it. */
  async function visibleFilter({ caller, access }: Context, { integration, externalId }: Sought) {
    const byExternalId = externalId === undefined ? {} : { externalIds: externalId };
    if (access.role === 'integration') return byExternalId;
    const installers = organizationsOf(caller).filter((id) => mayPublish(membershipOf(caller, id)?.role));
    if (externalId === undefined) return { organization: { $in: installers } };
    const { publication } = integration;
    const read: string[] = [];
    for await (const installation of eachDocument(store, installations, {
      publication,
      organization: { $in: installers },
    }))
      if (await administers(deps, caller, { integration, installation })) read.push(installation.organization);
    return { ...byExternalId, organization: { $in: read } };
  }

  return {
    async listIntegrationInstallations({ path, query: { externalId, ...request } }, context) {
      const integration = await findIntegration(deps, path.integrationName);
      const filter: Filter<InstallationDocument> = {
        publication: integration.publication,
        ...(await visibleFilter(context, { integration, externalId })),
      };
      return listPage(store, installations, { filter, sort, request, sizes }, async (found) => {
        const isRead = await Promise.all(found.map((installation) => mayRead(context, { integration, installation })));
        return presentInstallations(
          deps,
          found.map((each, at) => (isRead[at] ? each : hideConfiguration(each))),
        );
      });
    },

    async installIntegration({ path, body }, context) {
      return presentInstallation(deps, await install(deps, { name: path.integrationName, body }, context));
    },

    async getIntegrationInstallationById({ path }) {
      return presentInstallation(deps, (await findInstallation(deps, path)).installation);
    },

    async updateIntegrationInstallation({ path, body }, { caller, audit }) {
      const { configuration, externalIds } = body;
      const updated = await again(async () => {
        const { integration, installation: before } = await findInstallation(deps, path);
        // Again, because it may cover more by now.
        if (!(await mayRead({ caller }, { integration, installation: before })))
          throw forbidden('You need the right "configure" on this installation', 'missing_right');
        checkMaySelect(caller, body);
        checkSelections(integration, openedSelections(before, body), { caller, organization: before.organization });
        const fields = {
          externalIds,
          spaceSelection: body.space_selection,
          siteSelection: body.site_selection,
          // A person who changes it grants what the integration declares by now.
          ...(caller.kind === 'user' ? { scopes: integration.scopes } : {}),
        };
        const schema = integration.configurations.account;
        const changes = await changesOfInstalled(deps, { before, schema, configuration, fields, caller });
        if (!changes) return before;
        const { writes, details, after } = changes;
        await store.batch([...writes, audit('installation', before._id, { details })]);
        return after;
      });
      return presentInstallation(deps, updated);
    },

    uninstallIntegration: ({ path }, context) => uninstall(deps, path, context),

    async createIntegrationInstallationToken({ path }, { caller }) {
      const { installation } = await findInstallation(deps, path);
      return { token: await tokens.sign({ installation: installation._id, ...tunnelOf(caller) }) };
    },

    async listOrganizationInstallations({ path: { organizationId: organization }, query }, context) {
      const { search, ...request } = query;
      const filter = {
        organization,
        ...(search ? { publication: { $in: await publicationsFound(deps, organization, search) } } : {}),
      };
      return listPage(store, installations, { filter, sort, request, sizes }, async (items) => {
        const installed = await presentInstallations(deps, items);
        const documents = await store.getMany(integrations, [...new Set(items.map(({ integration }) => integration))]);
        const shown = new Map((await presentIntegrations(deps, documents, context)).map((each) => [each.name, each]));
        return installed.flatMap((installation, at) => {
          const integration = shown.get(items[at]?.integration ?? '');
          return integration ? { installation, integration } : [];
        });
      });
    },
  };
}

/** The publications of integrations that a list of installations is searched for. */
async function publicationsFound({ store }: HasStore, organization: string, search: string): Promise<string[]> {
  const publications = (await findInstallations(store, organization)).map(({ publication }) => publication);
  const filter = { ...queryFilter({ search }), publication: { $in: publications } };
  const found: string[] = [];
  for await (const { publication } of eachDocument(store, integrations, filter, ['publication']))
    found.push(publication);
  return found;
}

interface Sought {
  integration: IntegrationDocument;
  externalId: string | undefined;
}

type Update = BodyOf<Operations['updateIntegrationInstallation']>;

/** Throws 403 where a script would choose by itself what it is installed on. */
function checkMaySelect(caller: Caller, { space_selection, site_selection }: Update): void {
  if (caller.kind !== 'user' && (space_selection ?? site_selection) !== undefined)
    throw forbidden('Only people choose what an integration is installed on', 'token_kind_not_allowed');
}

/** The selections that an update opens. */
const openedSelections = (
  { spaceSelection, siteSelection }: InstallationDocument,
  { space_selection, site_selection }: Update,
) => ({
  ...(space_selection === undefined || space_selection === spaceSelection ? {} : { space_selection }),
  ...(site_selection === undefined || site_selection === siteSelection ? {} : { site_selection }),
});
