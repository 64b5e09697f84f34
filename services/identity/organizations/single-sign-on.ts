import type { Store } from '../../../shared/store/port.js';
import { type SamlProviderDocument, samlProviders } from './model.js';

/** Maximum number of SAML providers of an organization. */
export const maxProviders = 20;

/** A provider with all settings that a sign-in needs. */
export type ActiveSamlProvider = SamlProviderDocument &
  Required<Pick<SamlProviderDocument, 'entityID' | 'certificate' | 'ssoURL'>>;

export const isActiveProvider = (provider: SamlProviderDocument): provider is ActiveSamlProvider =>
  provider.entityID !== undefined && provider.certificate !== undefined && provider.ssoURL !== undefined;

/** Lists the active providers of an organization in order of creation. */
export async function findActiveProviders(store: Store, organization: string): Promise<ActiveSamlProvider[]> {
  const { items } = await store.page(samlProviders, {
    filter: { organization },
    sort: { createdAt: 1 },
    limit: maxProviders,
  });
  return items.filter(isActiveProvider);
}

/** The address where a sign-in through a provider starts. */
export const signInStartURL = (baseUrl: string, provider: string): string => `${baseUrl}/saml/${provider}/start`;
