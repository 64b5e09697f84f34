import type { BodyOf } from '../../../shared/contract/operation.js';
import type { Context } from '../../../shared/contract/service.js';
import { conflict, invalid, notFound } from '../../../shared/errors/errors.js';
import { type HasStore, type Store, type Write, write } from '../../../shared/store/port.js';
import { omitUndefined } from '../../../shared/values/omit-undefined.js';
import type { samlProviderOperations } from '../contract/saml.js';
import { organizations, type SamlProviderDocument, samlProviders, teams } from '../organizations/model.js';
import { findActiveProviders, isActiveProvider } from '../organizations/single-sign-on.js';
import type { Team } from '../teams/resources.js';
import { presentTeams } from '../teams/teams.js';
import { checkCertificates } from './certificates.js';
import type { SamlProvider } from './resources.js';
import { serviceProviderURLs } from './service-provider.js';

/** Reads a provider. Throws 404 when the organization has no such provider. */
export async function findProvider(
  store: Store,
  { organization, id }: { organization: string; id: string },
): Promise<SamlProviderDocument> {
  const provider = await store.get(samlProviders, id);
  if (provider?.organization !== organization) throw notFound('SAML provider');
  return provider;
}

interface ProvidersToPresent {
  context: Pick<Context, 'call' | 'caller'>;
  organization: string;
  items: SamlProviderDocument[];
}

/** Presents providers of one organization in the order of `items`, with their default teams as the caller sees them. */
export async function presentProviders(
  { store, baseUrl }: HasStore & { baseUrl: string },
  { context, organization, items }: ProvidersToPresent,
): Promise<SamlProvider[]> {
  const wanted = new Set(items.flatMap(({ defaultTeam }) => defaultTeam ?? []));
  const found = (await store.getMany(teams, [...wanted])).filter((team) => team.organization === organization);
  const presented = await presentTeams({ context, organization, items: found });
  const teamById = new Map(presented.map((team) => [team.id, team]));
  return items.map((provider) => presentProvider(baseUrl, provider, teamById.get(provider.defaultTeam ?? '')));
}

function presentProvider(baseUrl: string, provider: SamlProviderDocument, defaultTeam: Team | undefined): SamlProvider {
  const { _id: id, organization, label, ssoURL, entityID, certificate, defaultRole, createdAt } = provider;
  return omitUndefined({
    object: 'saml-provider',
    id,
    label,
    ssoURL: ssoURL || undefined,
    entityID: entityID || undefined,
    certificate: certificate || undefined,
    defaultTeam,
    defaultRole,
    createdAt,
    status: isActiveProvider(provider) ? 'active' : 'pending',
    service: serviceProviderURLs(baseUrl, id),
    urls: { location: `${baseUrl}/v1/orgs/${organization}/saml/${id}` },
  });
}

type Settings = BodyOf<typeof samlProviderOperations.updateOrganizationSAMLProvider>;

/** Checks settings and returns the conditions under which they may be stored. Throws 400 naming a wrong setting. */
export async function checkProviderSettings(
  store: Store,
  { organization, settings }: { organization: string; settings: Settings },
): Promise<Write[]> {
  const { certificate, ssoURL, defaultTeam } = settings;
  if (certificate !== undefined) checkCertificates(certificate);
  if (ssoURL !== undefined && /[\s\p{Cc}]/u.test(ssoURL)) throw invalid('ssoURL: must not contain white space');
  if (defaultTeam == null) return [];
  const team = await store.get(teams, defaultTeam, { fields: ['organization'] });
  if (team?.organization !== organization) throw invalid('defaultTeam: not a team of this organization');
  return [write.check(teams, { _id: defaultTeam, organization }, 1)];
}

/** Returns settings for the audit trail, with the fingerprints of certificates in their place. */
export const auditedSettings = ({ certificate, ...settings }: Record<string, unknown>): Record<string, unknown> => ({
  ...settings,
  ...(typeof certificate === 'string' ? { certificate: checkCertificates(certificate) } : {}),
});

/**
 * Returns the condition under which a provider may be deleted without locking members out. Throws 409 while the
 * organization enforces single sign-on and has no other active provider.
 */
export async function checkProviderDeletion(
  store: Store,
  { _id, organization }: SamlProviderDocument,
): Promise<Write[]> {
  const other = (await findActiveProviders(store, organization)).find((provider) => provider._id !== _id);
  if (other) return [write.check(samlProviders, { _id: other._id }, 1)];
  const { sso } = (await store.get(organizations, organization, { fields: ['sso'] })) ?? {};
  if (sso)
    throw conflict(
      'The organization enforces single sign-on and this is its last active provider: turn `sso` off or set up another provider first',
      'last_single_sign_on_provider',
    );
  return [write.check(organizations, { _id: organization, sso: { $ne: true } }, 1)];
}
