import type { BodyOf } from '../../../shared/contract/operation.js';
import type { Context } from '../../../shared/contract/service.js';
import { invalid, notFound } from '../../../shared/errors/errors.js';
import type { HasStore, Store, Write } from '../../../shared/store/port.js';
import { omitUndefined } from '../../../shared/values/omit-undefined.js';
import type { samlProviderOperations } from '../contract/saml.js';
import { type SamlProviderDocument, samlProviders } from '../organizations/model.js';
import { isActiveProvider } from '../organizations/single-sign-on.js';
import { ownTeamChecks, presentDefaultTeams } from '../single-sign-on/provider-settings.js';
import type { Team } from '../teams/resources.js';
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
  wanted: ProvidersToPresent,
): Promise<SamlProvider[]> {
  const teamById = await presentDefaultTeams(store, wanted);
  return wanted.items.map((provider) => presentProvider(baseUrl, provider, teamById.get(provider.defaultTeam)));
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
  return ownTeamChecks(store, { organization, named: [[defaultTeam, 'defaultTeam']] });
}

/** Returns settings for the audit trail, with the fingerprints of certificates in their place. */
export const auditedSettings = ({ certificate, ...settings }: Record<string, unknown>): Record<string, unknown> => ({
  ...settings,
  ...(typeof certificate === 'string' ? { certificate: checkCertificates(certificate) } : {}),
});
