import type { Audit } from '../../shared/contract/audit.js';
import type { Caller } from '../../shared/contract/caller.js';
import type { Call } from '../../shared/contract/service.js';
import { conflict, invalid, notFound } from '../../shared/errors.js';
import { newId, timestamp } from '../../shared/ids.js';
import { listPage, type Page, type PageRequest } from '../../shared/paging.js';
import { again } from '../../shared/store/again.js';
import { type Store, type Write, write } from '../../shared/store/port.js';
import { organizations, type SamlProviderDocument, samlProviders, teams } from './model.js';
import type { Role, SamlProvider, Team } from './resources.js';
import type { IdentityRules } from './rules.js';
import { checkCertificates } from './saml-certificates.js';
import { serviceOf } from './saml-service.js';
import { activeProviders, isActive, mostProviders, startURL } from './sso.js';
import { presentTeams } from './teams.js';

export interface SamlProviderRules {
  store: Store;
  baseUrl: string;
  /** Teams of the organization as the caller sees them, by id; those that are gone are left out. */
  teamsOf: (organization: string, ids: string[]) => Promise<Map<string, Team>>;
}

/** The rules for one call. */
export const providerRules = ({ store, baseUrl }: IdentityRules, call: Call, caller: Caller): SamlProviderRules => ({
  store,
  baseUrl,
  async teamsOf(organization, ids) {
    const found = (await store.getMany(teams, ids)).filter((team) => team.organization === organization);
    const presented = await presentTeams(call, caller, organization, found);
    return new Map(presented.map((team) => [team.id, team]));
  },
});

export interface SamlProviderInput {
  label: string;
  entityID?: string | undefined;
  certificate?: string | undefined;
  ssoURL?: string | undefined;
  defaultTeam?: string | null | undefined;
  defaultRole?: Role | null | undefined;
}

async function present(
  { baseUrl, teamsOf }: SamlProviderRules,
  organization: string,
  providers: SamlProviderDocument[],
): Promise<SamlProvider[]> {
  const wanted = providers.flatMap(({ defaultTeam }) => defaultTeam ?? []);
  const found = wanted.length > 0 ? await teamsOf(organization, [...new Set(wanted)]) : new Map<string, Team>();
  return providers.map((provider) => {
    const { _id: id, label, ssoURL, entityID, certificate, defaultRole, createdAt } = provider;
    const defaultTeam = found.get(provider.defaultTeam ?? '');
    return {
      object: 'saml-provider',
      id,
      label,
      ...(ssoURL ? { ssoURL } : {}),
      ...(entityID ? { entityID } : {}),
      ...(certificate ? { certificate } : {}),
      ...(defaultTeam ? { defaultTeam } : {}),
      defaultRole,
      createdAt,
      status: isActive(provider) ? 'active' : 'pending',
      service: serviceOf(baseUrl, id),
      urls: { location: `${baseUrl}/v1/orgs/${organization}/saml/${id}` },
    };
  });
}

const presentOne = async (rules: SamlProviderRules, provider: SamlProviderDocument): Promise<SamlProvider> =>
  (await present(rules, provider.organization, [provider]))[0] as SamlProvider;

async function providerOf(store: Store, organization: string, id: string): Promise<SamlProviderDocument> {
  const provider = await store.get(samlProviders, id);
  if (provider?.organization !== organization) throw notFound('SAML provider');
  return provider;
}

/** In order of creation. */
export function listProviders(
  rules: SamlProviderRules,
  organization: string,
  request: PageRequest,
): Promise<Page<SamlProvider>> {
  return listPage(rules.store, samlProviders, { filter: { organization }, sort: { createdAt: 1 }, request }, (items) =>
    present(rules, organization, items),
  );
}

export async function getProvider(rules: SamlProviderRules, organization: string, id: string): Promise<SamlProvider> {
  return presentOne(rules, await providerOf(rules.store, organization, id));
}

/** The conditions that settings hold under; 400 names the setting that is wrong. */
async function checkSettings(
  store: Store,
  organization: string,
  { certificate, ssoURL, defaultTeam }: Partial<SamlProviderInput>,
): Promise<Write[]> {
  if (certificate !== undefined) checkCertificates(certificate);
  if (ssoURL !== undefined && /[\s\p{Cc}]/u.test(ssoURL)) throw invalid('ssoURL: must not contain white space');
  if (defaultTeam == null) return [];
  const team = await store.get(teams, defaultTeam, { fields: ['organization'] });
  if (team?.organization !== organization) throw invalid('defaultTeam: not a team of this organization');
  return [write.check(teams, { _id: defaultTeam, organization }, 1)];
}

/** Certificates are told by their fingerprints. */
const audited = ({ certificate, ...settings }: Partial<SamlProviderInput>) => ({
  details: { ...settings, ...(certificate === undefined ? {} : { certificate: checkCertificates(certificate) }) },
});

export async function createProvider(
  rules: SamlProviderRules,
  organization: string,
  { defaultRole = null, ...settings }: SamlProviderInput,
  audit: Audit,
): Promise<SamlProvider> {
  const { store } = rules;
  const provider: SamlProviderDocument = {
    _id: newId(),
    organization,
    ...given(settings),
    label: settings.label,
    defaultRole,
    createdAt: timestamp(),
  };
  await again(async () => {
    const conditions = await checkSettings(store, organization, settings);
    const { providers = 0 } = (await store.get(organizations, organization, { fields: ['providers'] })) ?? {};
    if (providers >= mostProviders) throw conflict(`An organization has at most ${mostProviders} SAML providers`);
    await store.batch([
      write.update(
        organizations,
        { _id: organization, providers: { $lt: mostProviders } },
        { $inc: { providers: 1 } },
        { expect: 1 },
      ),
      ...conditions,
      write.insert(samlProviders, provider),
      audit('saml-provider', provider._id, audited({ ...given(settings), defaultRole })),
    ]);
  });
  return presentOne(rules, provider);
}

type Changes = Partial<Omit<SamlProviderDocument, '_id' | 'organization' | 'createdAt'>>;

const given = (input: Partial<SamlProviderInput>): Changes =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));

export async function updateProvider(
  rules: SamlProviderRules,
  organization: string,
  id: string,
  input: Partial<SamlProviderInput>,
  audit: Audit,
): Promise<SamlProvider> {
  const { store } = rules;
  const updated = await again(async () => {
    const provider = await providerOf(store, organization, id);
    const conditions = await checkSettings(store, organization, input);
    const changes: Changes = Object.fromEntries(
      Object.entries(given(input)).filter(([name, value]) => provider[name as keyof Changes] !== value),
    );
    if (Object.keys(changes).length === 0) return provider;
    await store.batch([
      ...conditions,
      write.update<SamlProviderDocument>(samlProviders, { _id: id, organization }, { $set: changes }, { expect: 1 }),
      audit('saml-provider', id, audited(changes)),
    ]);
    return { ...provider, ...changes };
  });
  return presentOne(rules, updated);
}

/** While the organization enforces single sign-on its last active provider stays: 409. */
export async function deleteProvider(
  { store }: Pick<SamlProviderRules, 'store'>,
  organization: string,
  id: string,
  audit: Audit,
): Promise<void> {
  await again(async () => {
    const provider = await providerOf(store, organization, id);
    await store.batch([
      ...(isActive(provider) ? await anotherWay(store, organization, id) : []),
      write.delete(samlProviders, { _id: id, organization }, { expect: 1 }),
      write.update(organizations, { _id: organization }, { $inc: { providers: -1 } }, { expect: 1 }),
      audit('saml-provider', id, { details: { label: provider.label } }),
    ]);
  });
}

/** The condition under which nobody is locked out without this provider. */
async function anotherWay(store: Store, organization: string, without: string): Promise<Write[]> {
  const other = (await activeProviders(store, organization)).find(({ _id }) => _id !== without);
  if (other) return [write.check(samlProviders, { _id: other._id }, 1)];
  const { sso } = (await store.get(organizations, organization, { fields: ['sso'] })) ?? {};
  if (sso)
    throw conflict(
      'The organization enforces single sign-on and this is its last active provider: turn `sso` off or set up another provider first',
    );
  return [write.check(organizations, { _id: organization, sso: { $ne: true } }, 1)];
}

/** How one signs in: what a sign-in page offers. */
export async function listLogins(
  { store, baseUrl }: Pick<SamlProviderRules, 'store' | 'baseUrl'>,
  organization: string,
): Promise<{ items: { id: string; label: string; startURL: string }[] }> {
  const providers = await activeProviders(store, organization);
  return { items: providers.map(({ _id: id, label }) => ({ id, label, startURL: startURL(baseUrl, id) })) };
}
