import type { SamlProviderDocument } from './model.js';
import type { SamlProvider } from './resources.js';
import { isActive, startURL } from './sso.js';

/** One that has all a sign-in needs. */
export type ActiveSamlProvider = SamlProviderDocument &
  Required<Pick<SamlProviderDocument, 'entityID' | 'certificate' | 'ssoURL'>>;

export const isUsable = (provider: SamlProviderDocument): provider is ActiveSamlProvider => isActive(provider);

/** What an identity provider is told of us. */
export function serviceOf(baseUrl: string, id: string): SamlProvider['service'] {
  const base = `${baseUrl}/saml/${id}`;
  return {
    entityID: `${base}/metadata`,
    metadataURL: `${base}/metadata`,
    acsURL: `${base}/acs`,
    startURL: startURL(baseUrl, id),
  };
}
