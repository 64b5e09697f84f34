import type { Caller } from '../../../shared/contract/caller.js';
import type { IntegrationTokens } from '../../../shared/contract/integration-token.js';
import type { Call } from '../../../shared/contract/service.js';
import { notFound } from '../../../shared/errors/errors.js';
import type { Store } from '../../../shared/store/port.js';
import type { CatalogueDependencies } from '../catalogue/dependencies.js';
import { type IntegrationDocument, integrations } from '../catalogue/model.js';
import type { QueueDependencies } from '../deliveries/queue/queue.js';
import {
  type ContentInstallationDocument,
  contentInstallationId,
  contentInstallations,
  type InstallationDocument,
  installations,
  maxPlaces,
  type PlaceKind,
} from './model.js';

export interface InstallationDependencies extends CatalogueDependencies, QueueDependencies {
  /** The address at which scripts reach the API, without a slash at the end. */
  apiEndpoint: string;
  tokens: IntegrationTokens;
  /** Calls other services as another caller, after the caller's own access was checked here. */
  callAs: (caller: Caller) => Call;
}

export interface InstallationPath {
  integrationName: string;
  installationId: string;
}

export interface FoundInstallation {
  integration: IntegrationDocument;
  installation: InstallationDocument;
}

export interface FoundContentInstallation extends FoundInstallation {
  content: ContentInstallationDocument;
}

/** Reads an installation with its integration. Throws 404 where it is one of another integration, or of one that was unpublished. */
export async function findInstallation(
  { store }: { store: Store },
  { integrationName, installationId }: InstallationPath,
): Promise<FoundInstallation> {
  const [integration, installation] = await Promise.all([
    store.get(integrations, integrationName),
    store.get(installations, installationId),
  ]);
  if (!integration || installation?.publication !== integration.publication) throw notFound('Installation');
  return { integration, installation };
}

/** As `findInstallation`, with the installation on a space or site. */
export async function findContentInstallation(
  { store }: { store: Store },
  path: InstallationPath,
  { kind, target }: { kind: PlaceKind; target: string },
): Promise<FoundContentInstallation> {
  const [found, content] = await Promise.all([
    findInstallation({ store }, path),
    store.get(contentInstallations, contentInstallationId(path.installationId, kind, target)),
  ]);
  if (!content) throw notFound('Installation');
  return { ...found, content };
}

/** The ids of the spaces, or sites, that an installation is installed on, the latest first. */
export async function installedTargets(
  { store }: { store: Store },
  { _id: installation }: Pick<InstallationDocument, '_id'>,
  kind: PlaceKind,
): Promise<string[]> {
  const { items } = await store.page(contentInstallations, {
    filter: { installation, kind },
    sort: { createdAt: -1 },
    limit: maxPlaces,
    fields: ['target'],
  });
  return items.map(({ target }) => target);
}
