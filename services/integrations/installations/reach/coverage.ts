import type { Store } from '../../../../shared/store/port.js';
import { type IntegrationDocument, integrations } from '../../catalogue/model.js';
import type { IntegrationsDependencies } from '../../dependencies.js';
import {
  type ContentInstallationDocument,
  contentInstallations,
  type InstallationDocument,
  installations,
  type PlaceKind,
} from '../model.js';
import { granted } from './granted-scopes.js';

/** Integrations that one organization has installed. */
export const mostInstalled = 200;

export interface CoveredPlace {
  organization: string;
  kind: PlaceKind;
  /** The id of the space or site. */
  target: string;
}

/** An integration that works on a space or site. */
export interface Covering {
  integration: IntegrationDocument;
  installation: InstallationDocument;
  /** Absent where it works on all spaces or sites of the organization, and was not installed on this one. */
  contentInstallation?: ContentInstallationDocument;
}

/**
 * The integrations that work on a space or site, first installed first: active ones that cover all of the organization, or are installed there. The
 * caller checks that the organization has the space or site.
 */
export async function coveringInstallations(
  { store }: Pick<IntegrationsDependencies, 'store'>,
  { organization, kind, target }: CoveredPlace,
): Promise<Covering[]> {
  const [active, { items: installed }] = await Promise.all([
    activeIn({ store }, organization),
    store.page(contentInstallations, { filter: { kind, target }, sort: {}, limit: 2 * mostInstalled }),
  ]);
  const there = new Map(installed.map((each) => [each.installation, each]));
  const covering = active.filter(
    (each) => selectionOf(each, kind) === 'all' || there.get(each._id)?.status === 'active',
  );
  return (await withIntegrations({ store }, covering)).map((each) => {
    const contentInstallation = there.get(each.installation._id);
    return { ...each, ...(contentInstallation ? { contentInstallation } : {}) };
  });
}

type Installed = Pick<Covering, 'integration' | 'installation'>;

/** The active installations of an organization, first installed first, wherever they work. */
export async function activeInstallations(
  { store }: Pick<IntegrationsDependencies, 'store'>,
  organization: string,
): Promise<Installed[]> {
  return withIntegrations({ store }, await activeIn({ store }, organization));
}

async function activeIn({ store }: { store: Store }, organization: string): Promise<InstallationDocument[]> {
  const query = { sort: { createdAt: 1 } as const, limit: 2 * mostInstalled };
  return (await store.page(installations, { filter: { organization, status: 'active' }, ...query })).items;
}

/** Installations with their integrations, without those of integrations that were unpublished. */
async function withIntegrations({ store }: { store: Store }, found: InstallationDocument[]): Promise<Installed[]> {
  if (found.length === 0) return [];
  const published = await store.getMany(
    integrations,
    found.map(({ integration }) => integration),
  );
  const byName = new Map(published.map((each) => [each._id, each]));
  return found.flatMap((installation) => {
    const integration = byName.get(installation.integration);
    return integration?.publication === installation.publication
      ? { integration: granted(integration, installation), installation }
      : [];
  });
}

export const selectionOf = (
  { spaceSelection, siteSelection }: Pick<InstallationDocument, 'spaceSelection' | 'siteSelection'>,
  kind: PlaceKind,
): 'all' | 'selected' => (kind === 'space' ? spaceSelection : siteSelection);
