import { type Access, type AccessQuestion, accessOf } from '../../../shared/contract/access.js';
import { membershipOf } from '../../../shared/contract/caller.js';
import type { BodyOf } from '../../../shared/contract/operation.js';
import { notFound } from '../../../shared/errors.js';
import { newId, timestamp } from '../../../shared/ids.js';
import { type Store, type Write, write } from '../../../shared/store/port.js';
import type { organizationOperations } from '../contract/organizations.js';
import type { PublishingOrganization } from '../contract.js';
import type { IdentityDependencies } from '../dependencies.js';
import type { UserDocument } from '../users/model.js';
import { lowered } from './email-domains.js';
import { organizationAt } from './hostnames.js';
import { join, noMembers } from './memberships.js';
import { type OrganizationDocument, organizations } from './model.js';

interface NewOrganization extends BodyOf<typeof organizationOperations.createOrganization> {
  creator: Pick<UserDocument, '_id' | 'displayName' | 'email'>;
}

/** Makes an organization with its creator as the first admin, and the writes that store both. */
export function newOrganization({ creator, useCase, communityType, emailDomains, ...required }: NewOrganization): {
  organization: OrganizationDocument;
  writes: Write[];
} {
  const organization: OrganizationDocument = {
    ...required,
    _id: newId(),
    emailDomains: lowered(emailDomains),
    ...(useCase ? { useCase } : {}),
    ...(communityType ? { communityType } : {}),
    defaultRole: 'read',
    sso: false,
    ai: true,
    inviteLinks: true,
    createdAt: timestamp(),
    members: noMembers(),
    admins: 0,
    teams: 0,
    providers: 0,
  };
  const writes = [
    write.insert(organizations, organization),
    ...join({ organization: organization._id, user: creator, role: 'admin' }),
  ];
  return { organization, writes };
}

/** Reads an organization. Throws 404 for an unknown id. */
export async function organizationOf(store: Store, id: string): Promise<OrganizationDocument> {
  const organization = await store.get(organizations, id);
  if (!organization) throw notFound('Organization');
  return organization;
}

/** Finds an organization by its id or by the host name that it uses. */
export async function findOrganization(
  { store }: IdentityDependencies,
  wanted: { id: string } | { hostname: string },
): Promise<PublishingOrganization | null> {
  const id = 'id' in wanted ? wanted.id : await organizationAt(store, wanted.hostname);
  const found = id === undefined ? null : await store.get(organizations, id);
  if (!found) return null;
  const { _id, title, hostname, defaultContent } = found;
  return {
    id: _id,
    title,
    ...(hostname ? { hostname } : {}),
    ...(defaultContent ? { defaultSite: defaultContent.site } : {}),
  };
}

/** Resolves a caller's access to organizations from what came with its token. A visitor of a site is to its organization what a guest is. */
export async function resolveOrganizations({ caller, ids }: AccessQuestion): Promise<(Access | null)[]> {
  const visited = caller.kind === 'content' ? caller.organization : undefined;
  return ids.map((id) => accessOf(caller, id, id === visited ? null : membershipOf(caller, id)?.role));
}
