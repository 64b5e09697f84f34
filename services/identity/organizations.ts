import { type Access, type AccessQuestion, accessOf } from '../../shared/contract/access.js';
import type { Audit } from '../../shared/contract/audit.js';
import { type Caller, membershipOf } from '../../shared/contract/caller.js';
import type { Context } from '../../shared/contract/service.js';
import { conflict, invalid, notFound } from '../../shared/errors.js';
import { newId, timestamp } from '../../shared/ids.js';
import { listPage, type Page, type PageRequest } from '../../shared/paging.js';
import { messageOf } from '../../shared/schema-messages.js';
import { type Store, StoreDuplicate, type Write, write } from '../../shared/store/port.js';
import { hasSite } from '../sites/contract.js';
import type { PublishingOrganization } from './contract.js';
import { checkUnscoped, opens } from './joining.js';
import { join, noMembers } from './memberships.js';
import {
  members,
  type OrganizationDocument,
  organizations,
  presentOrganization,
  samlProviders,
  subdomains,
  type UserDocument,
  users,
} from './model.js';
import { emailDomainSchema, type Organization, type Role, type Subdomain } from './resources.js';
import { type IdentityRules, userOf } from './rules.js';
import { activeProviders } from './sso.js';

export type OrganizationInput = Pick<OrganizationDocument, 'title' | 'emailDomains' | 'type'> & {
  useCase?: OrganizationDocument['useCase'] | undefined;
  communityType?: OrganizationDocument['communityType'] | undefined;
};

const lowered = (domains: string[]) => [...new Set(domains.map((domain) => domain.toLowerCase()))];

/** The organization and the writes that make it, its creator as the first admin among them. */
export function newOrganization(
  creator: Pick<UserDocument, '_id' | 'displayName' | 'email'>,
  { useCase, communityType, emailDomains, ...required }: OrganizationInput,
): { organization: OrganizationDocument; writes: Write[] } {
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
  const writes = [write.insert(organizations, organization), ...join(organization._id, creator, { role: 'admin' })];
  return { organization, writes };
}

export async function createOrganization(
  { store, baseUrl, callersChanged }: IdentityRules,
  caller: Caller,
  input: OrganizationInput,
  audit: Audit,
): Promise<Organization> {
  checkUnscoped(caller);
  const creator = await store.get(users, userOf(caller));
  if (!creator) throw notFound('User');
  const { organization, writes } = newOrganization(creator, input);
  const recorded = audit('organization', organization._id, {
    organization: organization._id,
    details: { title: input.title },
  });
  await store.batch([...writes, recorded, callersChanged()]);
  return presentOrganization(baseUrl, organization, { role: 'admin', owned: [] });
}

export async function getOrganization(
  { store, baseUrl }: IdentityRules,
  caller: Caller,
  id: string,
): Promise<Organization> {
  const organization = await store.get(organizations, id);
  if (!organization) throw notFound('Organization');
  return presentOrganization(baseUrl, organization, membershipOf(caller, id));
}

/** In the order the user joined them; a token of a single sign-on lists its own alone. */
export function listOrganizations(
  { store, baseUrl }: IdentityRules,
  caller: Caller,
  request: PageRequest,
): Promise<Page<Organization>> {
  const scope = caller.kind === 'user' && caller.scope !== undefined ? { organization: caller.scope } : {};
  const list = {
    filter: { user: userOf(caller), disabled: false, ...scope },
    sort: { joinedAt: 1 } as const,
    request,
  };
  return listPage(store, members, list, async (items) => {
    const memberIn = new Map(items.map((member) => [member.organization, member]));
    const found = await store.getMany(organizations, [...memberIn.keys()]);
    return found.map((organization) => presentOrganization(baseUrl, organization, memberIn.get(organization._id)));
  });
}

export interface OrganizationChanges {
  title?: string | undefined;
  emailDomains?: string[] | undefined;
  hostname?: string | undefined;
  defaultRole?: Role | null | undefined;
  defaultContent?: OrganizationDocument['defaultContent'] | null | undefined;
  logo?: string | null | undefined;
  sso?: boolean | undefined;
  ai?: boolean | undefined;
  inviteLinks?: boolean | undefined;
}

export async function updateOrganization(
  rules: IdentityRules,
  { call, caller }: Pick<Context, 'call' | 'caller'>,
  id: string,
  changes: OrganizationChanges,
  audit: Audit,
): Promise<Organization> {
  const { store, callersChanged } = rules;
  const before = await store.get(organizations, id);
  if (!before) throw notFound('Organization');
  if (changes.defaultContent && !(await call(hasSite, { organization: id, site: changes.defaultContent.site })))
    throw invalid('defaultContent.site: no such site in this organization');
  const [provider] = changes.sso ? await activeProviders(store, id) : [];
  if (changes.sso && !provider)
    throw invalid('sso: requires an active SAML provider first; without one only admins could sign in');
  const { $set, $unset } = updateOf(before, changes);
  const changed = [...Object.keys($set), ...Object.keys($unset)];
  if (changed.length > 0) {
    const update = write.update(organizations, { _id: id }, { $set, $unset }, { expect: 1 });
    const recorded = audit('organization', id, {
      details: Object.fromEntries(changed.map((field) => [field, $set[field] ?? null])),
    });
    const moved = $set.hostname === undefined ? [] : await hostnameWrites(store, before, String($set.hostname));
    const still = provider ? [write.check(samlProviders, { _id: provider._id }, 1)] : [];
    await store.batch([...moved, ...still, update, recorded, callersChanged()]).catch(hostnameTaken);
  }
  return getOrganization(rules, caller, id);
}

/** What differs from what is stored. */
function updateOf(before: OrganizationDocument, { emailDomains, ...changes }: OrganizationChanges) {
  const $set: Record<string, unknown> = {};
  const $unset: Record<string, true> = {};
  const wanted = { ...changes, ...(emailDomains ? { emailDomains: lowered(emailDomains) } : {}) };
  for (const [field, value] of Object.entries(wanted)) {
    const old = before[field as keyof OrganizationDocument];
    if (value === undefined || JSON.stringify(value) === JSON.stringify(old ?? null)) continue;
    if (value === null && field !== 'defaultRole') $unset[field] = true;
    else $set[field] = value;
  }
  return { $set, $unset };
}

/** The new name is taken when nobody uses it; the old one is free from then on. */
async function hostnameWrites(
  store: Store,
  { _id, hostname: old }: OrganizationDocument,
  hostname: string,
): Promise<Write[]> {
  const held = await store.get(subdomains, hostname);
  if (held?.active) throw conflict('hostname: already taken');
  const taken = held
    ? write.update(
        subdomains,
        { _id: hostname, active: false },
        { $set: { organization: _id, active: true } },
        { expect: 1 },
      )
    : write.insert(subdomains, { _id: hostname, organization: _id, active: true });
  const still = old === undefined ? { hostname: { $exists: false } } : { hostname: old };
  const writes = [taken, write.check(organizations, { _id, ...still }, 1)];
  if (old !== undefined)
    writes.push(write.update(subdomains, { _id: old, organization: _id }, { $set: { active: false } }));
  return writes;
}

function hostnameTaken(error: unknown): never {
  if (error instanceof StoreDuplicate) throw conflict('hostname: already taken');
  throw error;
}

export async function getSubdomain({ store }: IdentityRules, name: string): Promise<Subdomain> {
  const found = await store.get(subdomains, name.toLowerCase());
  if (!found) throw notFound('Subdomain');
  const { _id: subdomain, organization, active: isActive } = found;
  return { object: 'subdomain', subdomain, target: { type: 'organization', organization }, isActive };
}

/** By id, or by the host name that it uses. */
export async function findOrganization(
  { store }: IdentityRules,
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

async function organizationAt(store: Store, hostname: string): Promise<string | undefined> {
  const held = await store.get(subdomains, hostname.toLowerCase());
  return held?.active ? held.organization : undefined;
}

const mostOfDomain = 1000;

/** Those that the caller is a member of, and all when its own address is of the domain. */
export async function organizationsOfDomain(
  { store, baseUrl }: IdentityRules,
  caller: Caller,
  given: string,
): Promise<{ organizations: Organization[] }> {
  const domain = emailDomainSchema.safeParse(given, { error: messageOf });
  if (!domain.success) throw invalid(`emailDomain: ${domain.error.issues[0]?.message}`);
  const emailDomains = domain.data.toLowerCase();
  const user = await store.get(users, userOf(caller));
  const { items } = await store.page(organizations, {
    filter: { emailDomains },
    sort: { createdAt: 1 },
    limit: mostOfDomain,
  });
  const open =
    caller.kind === 'user' && caller.scope === undefined && opens({ emailDomains: [emailDomains] }, user?.email ?? '');
  const shown = items.filter(({ _id }) => open || membershipOf(caller, _id));
  return {
    organizations: shown.map((organization) =>
      presentOrganization(baseUrl, organization, membershipOf(caller, organization._id)),
    ),
  };
}

/** A caller's access to organizations is its membership, which came with its token. */
export async function resolveOrganizations({ caller, ids }: AccessQuestion): Promise<(Access | null)[]> {
  return ids.map((id) => accessOf(caller, id, membershipOf(caller, id)?.role));
}
