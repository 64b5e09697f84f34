import type { Space } from '../../content/resources.js';
import type { Site } from '../../sites/resources.js';
import { endpointUrls } from '../catalogue/present.js';
import { readConfigurations } from './configurations/stored-configurations.js';
import type { InstallationDependencies } from './find.js';
import type { ContentInstallationDocument, InstallationDocument, InstalledDocument, PlaceKind } from './model.js';
import type { Installation, InstallationConfiguration, SiteInstallation, SpaceInstallation } from './resources.js';

type PresentingDependencies = Pick<InstallationDependencies, 'store' | 'secrets' | 'baseUrl' | 'endpointsUrl'>;

/** Pages of lists end before they take more than 4 MB. */
export const sizes = { max: 4_000_000, of: ({ bytes }: InstalledDocument) => 1_000 + bytes };

/** An installation as it is shown to those who may not read its configuration. */
export const hideConfiguration = <D extends InstalledDocument>(document: D): D => ({
  ...document,
  bytes: 0,
  externalIds: [],
});

/** Installations with their configuration, in their order. */
export async function presentInstallations(
  deps: PresentingDependencies,
  documents: readonly InstallationDocument[],
): Promise<Installation[]> {
  const configurationFor = await readConfigurations(deps, documents);
  return documents.map((document) => toInstallation(deps, document, configurationFor(document)));
}

/** As `presentInstallations`, of one. */
export async function presentInstallation(
  deps: PresentingDependencies,
  document: InstallationDocument,
): Promise<Installation> {
  const [shown] = await presentInstallations(deps, [document]);
  return shown as Installation;
}

function toInstallation(
  { baseUrl, endpointsUrl }: PresentingDependencies,
  document: InstallationDocument,
  configuration: InstallationConfiguration,
): Installation {
  const { _id: id, integration, organization } = document;
  const path = `/integrations/${integration}/installations/${id}`;
  return {
    id,
    status: document.status,
    space_selection: document.spaceSelection,
    site_selection: document.siteSelection,
    spaces: document.spaces,
    configuration,
    createdAt: document.createdAt,
    updatedAt: document.updatedAt,
    urls: {
      location: `${baseUrl}/v1${path}`,
      app: `${baseUrl}/app/o/${organization}${path}`,
      ...endpointUrls(endpointsUrl + path),
    },
    externalIds: document.externalIds,
    target: { organization },
  };
}

export type ContentInstallation<K extends PlaceKind = PlaceKind> = {
  space: SpaceInstallation;
  site: SiteInstallation;
}[K];

/** A space or site in place of its id. */
export type ShownPlace = (document: ContentInstallationDocument) => Space | Site | string;

/** Installations on spaces and sites with their configuration, in their order. */
export async function presentContentInstallations(
  deps: PresentingDependencies,
  documents: readonly ContentInstallationDocument[],
  placeOf: ShownPlace = ({ target }) => target,
): Promise<ContentInstallation[]> {
  const configurationFor = await readConfigurations(deps, documents);
  return documents.map((document) => {
    const { integration, installation, kind, target, status, externalIds } = document;
    const path = `/integrations/${integration}/installations/${installation}/${kind}s/${target}`;
    const shown = {
      integration,
      installation,
      status,
      configuration: configurationFor(document),
      externalIds,
      urls: { location: `${deps.baseUrl}/v1${path}`, ...endpointUrls(deps.endpointsUrl + path) },
    };
    return { ...shown, [kind]: placeOf(document) } as unknown as ContentInstallation;
  });
}
