import { permissionsOf } from '../../../shared/contract/access.js';
import type { Call } from '../../../shared/contract/service.js';
import { presentOrganizations } from '../../identity/contract.js';
import { type Organization, organizationKind, organizationTerms } from '../../identity/resources.js';
import type { IntegrationDocument } from './model.js';

/** Stands in for an organization: for integrations that come with Bindery, and for owners that are gone. */
const namedOwner = (baseUrl: string, id: string, title: string): Organization => ({
  object: 'organization',
  id,
  title,
  createdAt: '2026-01-01T00:00:00.000Z',
  emailDomains: [],
  type: 'business',
  inviteLinks: false,
  ...organizationTerms,
  urls: { location: `${baseUrl}/v1/orgs/${id}`, app: `${baseUrl}/app/o/${id}` },
  permissions: permissionsOf(organizationKind, undefined),
});

/** The owners of integrations as the caller sees them, asked for at once: a function that throws for none of them. */
export async function ownersOf(
  documents: readonly Pick<IntegrationDocument, 'organization'>[],
  { call, baseUrl }: { call: Call; baseUrl: string },
): Promise<(document: Pick<IntegrationDocument, 'organization'>) => Organization> {
  const ids = [...new Set(documents.flatMap(({ organization }) => organization ?? []))];
  const found = ids.length > 0 ? await call(presentOrganizations, { ids }) : [];
  const known = new Map(found.flatMap((owner): [string, Organization][] => (owner ? [[owner.id, owner]] : [])));
  return ({ organization }) =>
    organization === undefined
      ? namedOwner(baseUrl, 'bindery', 'Bindery')
      : (known.get(organization) ?? namedOwner(baseUrl, organization, 'Unknown organization'));
}
