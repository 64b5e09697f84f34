import type { Access, AccessQuestion } from '../../shared/contract/operation.js';
import { notFound } from '../../shared/errors.js';
import { newId, timestamp } from '../../shared/ids.js';
import { listPage, type Page, type PageRequest } from '../../shared/paging.js';
import { type Store, type Write, write } from '../../shared/store/port.js';
import { memberId, members, type OrganizationDocument, organizations, presentOrganization } from './model.js';
import type { Organization, Role } from './resources.js';

export type OrganizationInput = Pick<OrganizationDocument, 'title' | 'emailDomains' | 'type'> & {
  useCase?: OrganizationDocument['useCase'] | undefined;
};

/** The organization and the writes that make it, its creator as the first admin among them. */
export function newOrganization(
  creator: string,
  input: OrganizationInput,
): { organization: OrganizationDocument; writes: Write[] } {
  const now = timestamp();
  const { useCase, ...required } = input;
  const organization: OrganizationDocument = {
    ...required,
    _id: newId(),
    emailDomains: input.emailDomains.map((domain) => domain.toLowerCase()),
    ...(useCase ? { useCase } : {}),
    inviteLinks: true,
    createdAt: now,
  };
  const admin = {
    organization: organization._id,
    user: creator,
    role: 'admin' as const,
    disabled: false,
    joinedAt: now,
  };
  const writes = [
    write.insert(organizations, organization),
    write.insert(members, { _id: memberId(organization._id, creator), ...admin }),
  ];
  return { organization, writes };
}

/** `writes` are made with it. */
export async function createOrganization(
  store: Store,
  baseUrl: string,
  creator: string,
  input: OrganizationInput,
  writes: Write[],
): Promise<Organization> {
  const made = newOrganization(creator, input);
  await store.batch([...made.writes, ...writes]);
  return presentOrganization(baseUrl, made.organization, 'admin');
}

export async function getOrganization(
  store: Store,
  baseUrl: string,
  id: string,
  role: Role | null,
): Promise<Organization> {
  const organization = await store.get(organizations, id);
  if (!organization) throw notFound('Organization');
  return presentOrganization(baseUrl, organization, role);
}

/** In the order the user joined them. */
export function listOrganizations(
  store: Store,
  baseUrl: string,
  user: string,
  request: PageRequest,
): Promise<Page<Organization>> {
  return listPage(
    store,
    members,
    { filter: { user, disabled: false }, sort: { joinedAt: 1 }, request },
    async (items) => {
      const roleOf = new Map(items.map(({ organization, role }) => [organization, role]));
      const found = await store.getMany(organizations, [...roleOf.keys()]);
      return found.map((organization) =>
        presentOrganization(baseUrl, organization, roleOf.get(organization._id) ?? null),
      );
    },
  );
}

/** A caller's access to organizations is its membership, which came with its token. */
export async function resolveOrganizations({ caller, ids }: AccessQuestion): Promise<(Access | null)[]> {
  if (caller.kind !== 'user') return ids.map(() => null);
  return ids.map((id) => {
    const membership = Object.hasOwn(caller.memberships, id) ? caller.memberships[id] : undefined;
    return membership ? { organization: id, role: membership.role, state: 'active' } : null;
  });
}
