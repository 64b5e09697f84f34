import type { Context, HandlersOf } from '../../../shared/contract/service.js';
import { listPage, type Page, type PageRequest } from '../../../shared/lists/paging.js';
import { again } from '../../../shared/store/again.js';
import type { Filter } from '../../../shared/store/port.js';
import { findIntegration } from '../catalogue/find.js';
import type { IntegrationDocument } from '../catalogue/model.js';
import type { contentInstallationOperations } from '../contract/installations.js';
import {
  type FoundContentInstallation,
  findContentInstallation,
  findInstallation,
  type InstallationDependencies,
  type InstallationPath,
} from './find.js';
import { installOnPlace } from './installing.js';
import { type ContentInstallationDocument, contentInstallations, type PlaceKind } from './model.js';
import { checkMayInstall, placeRule } from './places.js';
import { type ContentInstallation, hideConfiguration, presentContentInstallations, sizes } from './present.js';
import { administersPlaces } from './reach/administering.js';
import type { InstallationConfiguration } from './resources.js';
import { presentPlaces } from './shown-places.js';
import { uninstallFromPlace } from './uninstalling.js';
import { changesOfInstalled } from './updating.js';

type Operations = typeof contentInstallationOperations;

/** Installations of integrations on spaces and sites. */
export function contentInstallationHandlers(deps: InstallationDependencies): HandlersOf<Operations> {
  const spaces = handlersOn(deps, 'space');
  const sites = handlersOn(deps, 'site');
  return {
    listIntegrationSpaceInstallations: spaces.listOfIntegration,
    listIntegrationSiteInstallations: sites.listOfIntegration,
    listIntegrationInstallationSpaces: spaces.list,
    installIntegrationOnSpace: ({ path, query, body }, context) =>
      spaces.install({ path, query, target: body.space, field: 'space' }, context),
    getIntegrationSpaceInstallation: ({ path, query }, context) =>
      spaces.get({ path, query, target: path.spaceId }, context),
    updateIntegrationSpaceInstallation: ({ path, query, body }, context) =>
      spaces.update({ path, query, body, target: path.spaceId }, context),
    uninstallIntegrationFromSpace: ({ path }, context) => spaces.uninstall({ path, target: path.spaceId }, context),
    listIntegrationInstallationSites: sites.list,
    installIntegrationOnSite: ({ path, query, body }, context) =>
      sites.install({ path, query, target: body.siteId, field: 'siteId' }, context),
    getIntegrationSiteInstallation: ({ path, query }, context) =>
      sites.get({ path, query, target: path.siteId }, context),
    updateIntegrationSiteInstallation: ({ path, query, body }, context) =>
      sites.update({ path, query, body, target: path.siteId }, context),
    uninstallIntegrationFromSite: ({ path }, context) => sites.uninstall({ path, target: path.siteId }, context),
  };
}

interface Extended {
  extended: boolean;
}

interface Targeted {
  path: InstallationPath;
  /** The id of the space or site. */
  target: string;
}

interface Shown extends Targeted {
  query: Extended;
}

interface Listed {
  integration: IntegrationDocument;
  filter: Filter<ContentInstallationDocument>;
  query: PageRequest & Extended;
}

/** The operations on one kind of place, which differ in names alone. */
function handlersOn<K extends PlaceKind>(deps: InstallationDependencies, kind: K) {
  const { store } = deps;

  /** `extended` shows the spaces or sites in place of their ids. */
  async function presentAll(
    integration: IntegrationDocument,
    { documents, extended }: { documents: readonly ContentInstallationDocument[] } & Extended,
    by: Context,
  ): Promise<ContentInstallation<K>[]> {
    const placeOf = extended ? await presentPlaces(deps, { integration, documents }, by) : undefined;
    return (await presentContentInstallations(deps, documents, placeOf)) as ContentInstallation<K>[];
  }

  async function presentOne(
    integration: IntegrationDocument,
    { document, extended }: { document: ContentInstallationDocument } & Extended,
    by: Context,
  ): Promise<ContentInstallation<K>> {
    const [shown] = await presentAll(integration, { documents: [document], extended }, by);
    return shown as ContentInstallation<K>;
  }

  const presentPage = (
    { integration, filter, query: { extended, ...request } }: Listed,
    by: Context,
  ): Promise<Page<ContentInstallation<K>>> =>
    listPage(store, contentInstallations, { filter, sort: { createdAt: -1 }, request, sizes }, async (found) =>
      presentAll(integration, { documents: await hideUnreadable(integration, found, by), extended }, by),
    );

  /** Leaves out the configuration on places that the caller does not administer. */
  async function hideUnreadable(
    integration: IntegrationDocument,
    found: ContentInstallationDocument[],
    { access, caller }: Context,
  ): Promise<ContentInstallationDocument[]> {
    if (access.role !== 'installer') return found;
    const targets = found.map(({ target }) => target);
    const held = await administersPlaces(deps, caller, { kind, targets, integration });
    return found.map((each, at) => (held[at] ? each : hideConfiguration(each)));
  }

  /** Finds the installation on a place. Throws 403 or 404 for a caller who administers neither all of the installation nor this place. */
  async function findAdministered(
    { path, target }: Targeted,
    { call, caller, access }: Context,
  ): Promise<FoundContentInstallation> {
    const found = await findContentInstallation(deps, path, { kind, target });
    const { integration, installation } = found;
    if (access.role === 'installer') {
      const place = { kind: placeRule(kind, integration), target, organization: installation.organization };
      await checkMayInstall({ call, caller }, place);
    }
    return found;
  }

  return {
    async listOfIntegration(
      { path, query: { externalId, ...query } }: ListOfIntegration,
      context: Context,
    ): Promise<Page<ContentInstallation<K>>> {
      const integration = await findIntegration(deps, path.integrationName);
      const { publication } = integration;
      const filter = { publication, kind, ...(externalId === undefined ? {} : { externalIds: externalId }) };
      return presentPage({ integration, filter, query }, context);
    },

    async list({ path, query }: { path: InstallationPath; query: PageRequest & Extended }, context: Context) {
      const { integration, installation } = await findInstallation(deps, path);
      return presentPage({ integration, filter: { installation: installation._id, kind }, query }, context);
    },

    async install({ path, query, target, field }: Shown & { field: string }, context: Context) {
      const document = await installOnPlace(deps, { path, kind, target, field }, context);
      return presentOne(await findIntegration(deps, path.integrationName), { document, ...query }, context);
    },

    async get({ path, query, target }: Shown, context: Context) {
      const { integration, content } = await findAdministered({ path, target }, context);
      return presentOne(integration, { document: content, ...query }, context);
    },

    async update({ path, query, target, body }: Shown & { body: ContentUpdate }, context: Context) {
      const { configuration, ...fields } = body;
      const { integration, document } = await again(async () => {
        const { integration, content: before } = await findAdministered({ path, target }, context);
        const schema = integration.configurations[kind];
        const changes = await changesOfInstalled(deps, {
          before,
          schema,
          configuration,
          fields,
          caller: context.caller,
        });
        if (!changes) return { integration, document: before };
        const details = { integration: before.integration, installation: before.installation, ...changes.details };
        await store.batch([...changes.writes, context.audit(`${kind}-installation`, target, { details })]);
        return { integration, document: changes.after };
      });
      return presentOne(integration, { document, ...query }, context);
    },

    async uninstall({ path, target }: Targeted, context: Context) {
      await findAdministered({ path, target }, context);
      await uninstallFromPlace(deps, { path, kind, target }, context);
    },
  };
}

interface ListOfIntegration {
  path: { integrationName: string };
  query: PageRequest & Extended & { externalId?: string | undefined };
}

interface ContentUpdate {
  configuration?: InstallationConfiguration | undefined;
  externalIds?: string[] | undefined;
}
