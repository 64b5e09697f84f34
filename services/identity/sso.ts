import type { Store } from '../../shared/store/port.js';
import { type SamlProviderDocument, samlProviders } from './model.js';

/** As many as an organization may have. */
export const mostProviders = 20;

/** One that is usable: all that a sign-in needs is set. */
export const isActive = ({ entityID, certificate, ssoURL }: SamlProviderDocument): boolean =>
  entityID !== undefined && certificate !== undefined && ssoURL !== undefined;

/** In the order they were made. */
export async function activeProviders(store: Store, organization: string): Promise<SamlProviderDocument[]> {
  const { items } = await store.page(samlProviders, {
    filter: { organization },
    sort: { createdAt: 1 },
    limit: mostProviders,
  });
  return items.filter(isActive);
}

export const startURL = (baseUrl: string, provider: string): string => `${baseUrl}/saml/${provider}/start`;
