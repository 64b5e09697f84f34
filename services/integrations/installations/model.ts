import { type Collection, collection } from '../../../shared/store/port.js';
import type { IntegrationDocument } from '../catalogue/model.js';
import type { InstallationStatus } from './resources.js';

/** Kinds of places within an organization on which an integration is installed. */
export type PlaceKind = 'space' | 'site';

/** Spaces, or sites, that one installation is installed on. */
export const maxPlaces = 10_000;

/** Common to installations in an organization and those on a space or site. */
interface Installed {
  _id: string;
  /** The name of the integration. */
  integration: string;
  publication: string;
  organization: string;
  status: InstallationStatus;
  externalIds: string[];
  /** Characters of its stored configuration. */
  bytes: number;
  /** Counts the changes, so that none is made to an outdated state. */
  version: number;
  createdAt: string;
  updatedAt: string;
}

export interface InstallationDocument extends Installed {
  /** The user who installed it. */
  user: string;
  spaceSelection: 'all' | 'selected';
  siteSelection: 'all' | 'selected';
  /** The number of spaces that it is installed on. */
  spaces: number;
  /** The number of sites that it is installed on. */
  sites: number;
  /** Scopes that the integration declared when a person last installed or changed it. */
  scopes: IntegrationDocument['scopes'];
}

export interface ContentInstallationDocument extends Installed {
  installation: string;
  kind: PlaceKind;
  /** The id of the space or site. */
  target: string;
}

export type InstalledDocument = InstallationDocument | ContentInstallationDocument;

/**
 * The configuration of an installation, also of one on a space or site, whose id it has; absent while it is empty. It is kept apart from what is
 * read with each call and each event.
 */
export interface ConfigurationDocument {
  _id: string;
  publication: string;
  /** Encrypted, as JSON: users keep keys of other products in it. */
  sealed: string;
}

export const contentInstallationId = (installation: string, kind: PlaceKind, target: string): string =>
  `${installation}:${kind}:${target}`;

export const installations = collection<InstallationDocument>('integrations_installations', [
  { on: { publication: 1, organization: 1 }, unique: true },
  { on: { publication: 1, createdAt: -1 } },
  { on: { organization: 1, createdAt: -1 } },
  { kind: 'multikey', array: 'externalIds', within: ['publication'], sort: { createdAt: -1 } },
]);

export const contentInstallations = collection<ContentInstallationDocument>('integrations_content_installations', [
  { on: { installation: 1, kind: 1, createdAt: -1 } },
  { on: { publication: 1, kind: 1, createdAt: -1 } },
  { on: { kind: 1, target: 1 } },
  { kind: 'multikey', array: 'externalIds', within: ['publication', 'kind'], sort: { createdAt: -1 } },
]);

export const configurations = collection<ConfigurationDocument>('integrations_configurations', [
  { on: { publication: 1 } },
]);

export const installationCollections = [
  installations,
  contentInstallations,
  configurations,
] as unknown as Collection<never>[];
