import type { BodyOf } from '../../../shared/contract/operation.js';
import type { Context } from '../../../shared/contract/service.js';
import { invalid, notFound } from '../../../shared/errors/errors.js';
import { checkUrl } from '../../../shared/outbound/address.js';
import type { HasSecrets } from '../../../shared/secrets/secrets.js';
import type { HasConfig } from '../../../shared/settings/config.js';
import type { HasStore, Store, Write } from '../../../shared/store/port.js';
import { omitUndefined } from '../../../shared/values/omit-undefined.js';
import type { oidcProviderOperations } from '../contract/oidc.js';
import { lowerCaseDomains } from '../organizations/email-domains.js';
import { type OidcProviderDocument, oidcProviders } from '../organizations/model.js';
import { signInStartURL } from '../organizations/single-sign-on.js';
import { ownTeamChecks, presentDefaultTeams } from '../single-sign-on/provider-settings.js';
import type { Team } from '../teams/resources.js';
import type { OidcProvider } from './resources.js';

/** Reads a provider. Throws 404 when the organization has no such provider. */
export async function findOidcProvider(
  store: Store,
  { organization, id }: { organization: string; id: string },
): Promise<OidcProviderDocument> {
  const provider = await store.get(oidcProviders, id);
  if (provider?.organization !== organization) throw notFound('OpenID Connect provider');
  return provider;
}

/** The address to which a provider sends browsers back. */
export const callbackURL = (baseUrl: string, provider: string): string =>
  `${baseUrl}/app/sign-in/oidc/${provider}/callback`;

interface ProvidersToPresent {
  context: Pick<Context, 'call' | 'caller'>;
  organization: string;
  items: OidcProviderDocument[];
}

/** Presents providers of one organization in the order of `items`, with their default teams as the caller sees them. */
export async function presentOidcProviders(
  { store, baseUrl }: HasStore & { baseUrl: string },
  wanted: ProvidersToPresent,
): Promise<OidcProvider[]> {
  const teamById = await presentDefaultTeams(store, wanted);
  return wanted.items.map((provider) => presentProvider(baseUrl, provider, teamById.get(provider.defaultTeam)));
}

function presentProvider(baseUrl: string, provider: OidcProviderDocument, defaultTeam: Team | undefined): OidcProvider {
  const { _id: id, organization, clientSecret, defaultTeam: _, ...settings } = provider;
  const { label, issuer, clientId, scopes, groupsClaim, groups, emailDomains, defaultRole, active, createdAt } =
    settings;
  return omitUndefined({
    object: 'oidc-provider',
    id,
    label,
    issuer,
    clientId,
    hasClientSecret: clientSecret !== undefined,
    scopes,
    groupsClaim,
    groups,
    emailDomains,
    defaultTeam,
    defaultRole,
    active,
    createdAt,
    service: { startURL: signInStartURL(baseUrl, { kind: 'oidc', id }), callbackURL: callbackURL(baseUrl, id) },
    urls: { location: `${baseUrl}/v1/orgs/${organization}/oidc/${id}` },
  });
}

type Settings = BodyOf<typeof oidcProviderOperations.updateOrganizationOIDCProvider>;

/** Checks settings and returns the conditions under which they may be stored. Throws 400 naming a wrong setting. */
export async function checkOidcSettings(
  { store, config }: HasStore & HasConfig,
  { organization, settings }: { organization: string; settings: Settings },
): Promise<Write[]> {
  const { issuer, scopes, groups = [], defaultTeam } = settings;
  if (issuer !== undefined) checkIssuer(config, issuer);
  if (scopes !== undefined && !scopes.includes('openid')) throw invalid('scopes: must hold `openid`');
  const lacking = groups.findIndex(({ team, role }) => team === undefined && role === undefined);
  if (lacking >= 0) throw invalid(`groups.${lacking}: must name a team or a role`);
  const named = groups.flatMap(({ team }, at): [string, string][] => (team ? [[team, `groups.${at}.team`]] : []));
  if (defaultTeam) named.push([defaultTeam, 'defaultTeam']);
  return ownTeamChecks(store, { organization, named });
}

const localHosts = /^(localhost|127\.0\.0\.1|\[::1\]|[^.]+(\.[^.]+)*\.localhost)$/;

/** Throws 400 for an issuer that no provider has, or that may not be reached from here. */
function checkIssuer({ baseUrl, OUTBOUND_ALLOW_CIDRS: allowCidrs }: HasConfig['config'], issuer: string): void {
  const checked = checkUrl(issuer, { allowCidrs });
  if (!checked.ok) throw invalid(`issuer: ${checked.problem}`);
  const { protocol, hostname, search, hash, username, password, pathname } = checked.url;
  if (/[?#]/.test(issuer) || search || hash || username || password)
    throw invalid('issuer: must have no query, fragment or credentials');
  if (pathname.includes('/.well-known/'))
    throw invalid('issuer: must be the name of the provider, without `/.well-known/openid-configuration`');
  const isLocal = baseUrl.startsWith('http:') && localHosts.test(hostname);
  if (protocol !== 'https:' && !isLocal) throw invalid('issuer: must start with https://');
}

/** Returns the settings as they are stored: the secret encrypted, domains in lower case. */
export const storedSettings = ({ secrets }: HasSecrets, { clientSecret, emailDomains, ...settings }: Settings) => ({
  ...settings,
  ...(emailDomains === undefined ? {} : { emailDomains: lowerCaseDomains(emailDomains) }),
  ...(clientSecret == null ? { clientSecret } : { clientSecret: secrets.encrypt(clientSecret) }),
});

/** Returns settings for the audit trail, which tells that the secret has changed, and nothing of it. */
export const auditedOidcSettings = ({
  clientSecret,
  ...settings
}: Record<string, unknown>): Record<string, unknown> => ({
  ...settings,
  ...(clientSecret === undefined ? {} : { clientSecret: clientSecret === null ? null : 'changed' }),
});
