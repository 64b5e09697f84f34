import type { Store } from '../../../../shared/store/port.js';
import { type IntegrationDocument, integrations } from '../../catalogue/model.js';
import {
  contentInstallationId,
  contentInstallations,
  type InstallationDocument,
  installations,
  type PlaceKind,
} from '../model.js';
import { withGrantedScopes } from './granted-scopes.js';

/** Integrations that one organization has installed. */
export const maxInstalled = 200;

export interface CoveredPlace {
  organization: string;
  kind: PlaceKind;
  /** The id of the space or site. */
  target: string;
}

/** Fields read of all integrations that work somewhere. Left out are blocks, content sources and configurations: up to 1 MB of each. */
const read = [
  'publication',
  'organization',
  'title',
  'version',
  'format',
  'scopes',
  'contentSecurityPolicy',
  'hasBlocks',
  'bytes',
] as const satisfies (keyof IntegrationDocument)[];

/** An integration that works on a space or site. */
export interface Covering {
  integration: Pick<IntegrationDocument, '_id' | (typeof read)[number]>;
  installation: InstallationDocument;
}

/**
 * The integrations that work on a space or site, first installed first: active ones that cover all of the organization, or are installed there. The
 * caller checks that the organization has the space or site.
 */
export async function coveringInstallations(
  { store }: { store: Store },
  { organization, kind, target }: CoveredPlace,
): Promise<Covering[]> {
  const [active, { items: installed }] = await Promise.all([
    findActiveIn({ store }, organization),
    store.page(contentInstallations, { filter: { kind, target }, sort: {}, limit: 2 * maxInstalled }),
  ]);
  const there = new Map(installed.map((each) => [each.installation, each]));
  const covering = active.filter(
    (each) => selectionOf(each, kind) === 'all' || there.get(each._id)?.status === 'active',
  );
  return withIntegrations({ store }, covering);
}

/** One integration with all that it declares, as it works on a space or site; undefined where it does not. */
export async function coveringInstallation(
  { store }: { store: Store },
  name: string,
  { organization, kind, target }: CoveredPlace,
): Promise<{ integration: IntegrationDocument; installation: InstallationDocument } | undefined> {
  const integration = await store.get(integrations, name);
  if (!integration) return undefined;
  const { publication } = integration;
  const installation = await store.findOne(installations, { publication, organization, status: 'active' });
  if (!installation) return undefined;
  const there =
    selectionOf(installation, kind) === 'all' ||
    (await store.get(contentInstallations, contentInstallationId(installation._id, kind, target)))?.status === 'active';
  return there ? { integration: withGrantedScopes(integration, installation), installation } : undefined;
}

/** The active installations of an organization, first installed first, wherever they work. */
export async function activeInstallations({ store }: { store: Store }, organization: string): Promise<Covering[]> {
  return withIntegrations({ store }, await findActiveIn({ store }, organization));
}

async function findActiveIn({ store }: { store: Store }, organization: string): Promise<InstallationDocument[]> {
  const query = { sort: { createdAt: 1 } as const, limit: 2 * maxInstalled };
  return (await store.page(installations, { filter: { organization, status: 'active' }, ...query })).items;
}

/** Installations with their integrations, without those of integrations that were unpublished. */
async function withIntegrations({ store }: { store: Store }, found: InstallationDocument[]): Promise<Covering[]> {
  if (found.length === 0) return [];
  const published = await store.getMany(
    integrations,
    found.map(({ integration }) => integration),
    { fields: [...read] },
  );
  const byName = new Map(published.map((each) => [each._id, each]));
  return found.flatMap((installation) => {
    const integration = byName.get(installation.integration);
    return integration?.publication === installation.publication
      ? { integration: withGrantedScopes(integration, installation), installation }
      : [];
  });
}

export const selectionOf = (
  { spaceSelection, siteSelection }: Pick<InstallationDocument, 'spaceSelection' | 'siteSelection'>,
  kind: PlaceKind,
): 'all' | 'selected' => (kind === 'space' ? spaceSelection : siteSelection);

/** Installations of an organization, the latest at the end: if a name was published again, that is the one that counts. */
export async function findInstallations(
  store: Store,
  organization: string,
): Promise<Pick<InstallationDocument, 'integration' | 'publication' | 'status'>[]> {
  const { items } = await store.page(installations, {
    filter: { organization },
    sort: { createdAt: 1 },
    limit: 2 * maxInstalled,
    fields: ['integration', 'publication', 'status'],
  });
  return items;
}
