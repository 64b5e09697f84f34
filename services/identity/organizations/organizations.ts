import { type Access, type AccessQuestion, accessOfRole } from '../../../shared/contract/access.js';
import { type Caller, membershipOf } from '../../../shared/contract/caller.js';
import type { BodyOf } from '../../../shared/contract/operation.js';
import { notFound } from '../../../shared/errors/errors.js';
import { type HasStore, type Store, type Write, write } from '../../../shared/store/port.js';
import { newId, timestamp } from '../../../shared/values/ids.js';
import { omitUndefined } from '../../../shared/values/omit-undefined.js';
import type { organizationOperations } from '../contract/organizations.js';
import type { PublishingOrganization } from '../contract.js';
import type { UserDocument } from '../users/model.js';
import { lowerCaseDomains } from './email-domains.js';
import { findIdByHostname } from './hostnames.js';
import { joinWrites, zeroRoleCounts } from './memberships.js';
import { type OrganizationDocument, organizations, presentForeignOrganization, presentOrganization } from './model.js';
import { type Organization, roleOfInstallation } from './resources.js';

interface NewOrganization extends BodyOf<typeof organizationOperations.createOrganization> {
  creator: Pick<UserDocument, '_id' | 'displayName' | 'email'>;
}

/** Makes an organization with its creator as the first admin, and the writes that store both. */
export function newOrganization({ creator, useCase, communityType, emailDomains, ...required }: NewOrganization): {
  organization: OrganizationDocument;
  writes: Write[];
} {
  const organization: OrganizationDocument = omitUndefined({
    ...required,
    _id: newId(),
    emailDomains: lowerCaseDomains(emailDomains),
    useCase,
    communityType,
    defaultRole: 'read',
    sso: false,
    ai: true,
    inviteLinks: true,
    createdAt: timestamp(),
    members: zeroRoleCounts(),
    admins: 0,
    teams: 0,
    providers: 0,
  });
  const writes = [
    write.insert(organizations, organization),
    ...joinWrites({ organization: organization._id, user: creator, role: 'admin' }),
  ];
  return { organization, writes };
}

/** Reads an organization. Throws 404 for an unknown id. */
export async function findOrganizationById(store: Store, id: string): Promise<OrganizationDocument> {
  const organization = await store.get(organizations, id);
  if (!organization) throw notFound('Organization');
  return organization;
}

/** Finds an organization by its id or by the host name that it uses. */
export async function findOrganization(
  { store }: HasStore,
  wanted: { id: string } | { hostname: string },
): Promise<PublishingOrganization | null> {
  const id = 'id' in wanted ? wanted.id : await findIdByHostname(store, wanted.hostname);
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

/** Organizations as a caller sees them, in the order of the ids; null for an unknown id. */
export async function presentOrganizationsByIds(
  { store, baseUrl }: HasStore & { baseUrl: string },
  { ids }: { ids: string[] },
  caller: Caller,
): Promise<(Organization | null)[]> {
  const found = await store.getMany(organizations, [...new Set(ids)]);
  const known = new Map(found.map((organization) => [organization._id, organization]));
  return ids.map((id) => {
    const organization = known.get(id);
    if (!organization) return null;
    const membership = membershipOf(caller, id);
    return membership
      ? presentOrganization(baseUrl, organization, membership)
      : presentForeignOrganization(baseUrl, organization);
  });
}

/**
 * Resolves a caller's access to organizations from what came with its token. Visitors of a site, integrations and installations are to
 * their organization what a guest is; an installation may be given its specifications too.
 */
export async function resolveOrganizationAccess({ caller, ids }: AccessQuestion): Promise<(Access | null)[]> {
  return ids.map((id) => accessOfRole(caller, id, roleOnOrganization(caller, id)));
}

function roleOnOrganization(caller: Caller, organization: string): string | null | undefined {
  switch (caller.kind) {
    case 'content':
      return caller.organization === organization ? null : undefined;
    case 'integration':
      return caller.owner === organization ? null : undefined;
    case 'installation':
      return roleOfInstallation(caller, organization);
    default:
      return membershipOf(caller, organization)?.role;
  }
}
