import { type Store, type Write, write } from '../../../shared/store/port.js';
import { type OidcProviderDocument, oidcProviders, type SamlProviderDocument, samlProviders } from './model.js';

/** Maximum number of providers of an organization, of both kinds together. */
export const maxProviders = 20;

/** A SAML provider with all settings that a sign-in needs. */
export type ActiveSamlProvider = SamlProviderDocument &
  Required<Pick<SamlProviderDocument, 'entityID' | 'certificate' | 'ssoURL'>>;

export const isActiveProvider = (provider: SamlProviderDocument): provider is ActiveSamlProvider =>
  provider.entityID !== undefined && provider.certificate !== undefined && provider.ssoURL !== undefined;

/** A provider through which people can sign in. */
export interface ActiveProvider {
  kind: 'saml' | 'oidc';
  id: string;
  label: string;
  createdAt: string;
}

const activeProvider = (
  kind: ActiveProvider['kind'],
  { _id: id, label, createdAt }: SamlProviderDocument | OidcProviderDocument,
): ActiveProvider => ({ kind, id, label, createdAt });

/** Lists the active providers of an organization, of both kinds, in order of creation. */
export async function findActiveProviders(store: Store, organization: string): Promise<ActiveProvider[]> {
  const all = { filter: { organization }, sort: { createdAt: 1 }, limit: maxProviders } as const;
  const [saml, oidc] = await Promise.all([store.page(samlProviders, all), store.page(oidcProviders, all)]);
  return [
    ...saml.items.filter(isActiveProvider).map((provider) => activeProvider('saml', provider)),
    ...oidc.items.filter(({ active }) => active).map((provider) => activeProvider('oidc', provider)),
  ].sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
}

/** Whether people can sign in through a provider, of either kind. */
export async function isProviderActive(store: Store, id: string): Promise<boolean> {
  const [saml, oidc] = await Promise.all([
    store.get(samlProviders, id),
    store.get(oidcProviders, id, { fields: ['active'] }),
  ]);
  return saml ? isActiveProvider(saml) : (oidc?.active ?? false);
}

/** Returns the condition that an active provider is still one. A SAML provider never loses its settings. */
export const remainsActiveCheck = ({ kind, id: _id }: ActiveProvider): Write =>
  kind === 'saml' ? write.check(samlProviders, { _id }, 1) : write.check(oidcProviders, { _id, active: true }, 1);

/** The address where a sign-in through a provider starts. */
export const signInStartURL = (baseUrl: string, { kind, id }: Pick<ActiveProvider, 'kind' | 'id'>): string =>
  kind === 'saml' ? `${baseUrl}/saml/${id}/start` : `${baseUrl}/app/sign-in/oidc/${id}/start`;
