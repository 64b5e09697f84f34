import type { IntegrationDocument } from '../../catalogue/model.js';
import type { InstallationDocument } from '../model.js';

/**
 * The integration as an installation of it has granted it: a later version that declares more gets no more until a person changes the
 * installation. Its own organization grants what it declares.
 */
export function withGrantedScopes<I extends Pick<IntegrationDocument, 'scopes' | 'organization'>>(
  integration: I,
  { organization, scopes }: Pick<InstallationDocument, 'organization' | 'scopes'>,
): I {
  if (integration.organization === organization) return integration;
  return { ...integration, scopes: integration.scopes.filter((scope) => scopes.includes(scope)) };
}
