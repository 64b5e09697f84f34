import { signInStartURL } from '../organizations/single-sign-on.js';
import type { SamlProvider } from './resources.js';

/** Returns our service provider settings for an identity provider. */
export function serviceProviderURLs(baseUrl: string, provider: string): SamlProvider['service'] {
  const base = `${baseUrl}/saml/${provider}`;
  return {
    entityID: `${base}/metadata`,
    metadataURL: `${base}/metadata`,
    acsURL: `${base}/acs`,
    startURL: signInStartURL(baseUrl, { kind: 'saml', id: provider }),
  };
}
