import { permissionsOf } from '../../shared/contract/access.js';
import type { AuditRecord } from '../../shared/contract/audit.js';
import { type Collection, collection } from '../../shared/store/port.js';
import { jobCollections } from '../../shared/work/jobs.js';
import { outboxCollection } from '../../shared/work/outbox.js';
import {
  type ApiToken,
  type communityTypes,
  type Organization,
  organizationKind,
  type organizationTypes,
  type Role,
  type User,
  type useCases,
} from './resources.js';

export interface UserDocument {
  _id: string;
  displayName: string;
  email: string;
  emailLower: string;
  photoURL?: string;
  createdAt: string;
}

export interface TokenDocument {
  _id: string;
  user: string;
  /** The one organization it reaches: its single sign-on issued the token. */
  scope?: string;
  /** SHA-256 of the secret, hexadecimal. */
  hash: string;
  preview: string;
  label: string;
  createdAt: string;
  expiresAt?: string;
  lastUsedAt?: string;
}

/** How many members have a role. */
export type RoleCounts = Record<Role | 'guest', number>;

export interface OrganizationDocument {
  _id: string;
  title: string;
  emailDomains: string[];
  hostname?: string;
  type: (typeof organizationTypes)[number];
  useCase?: (typeof useCases)[number];
  communityType?: (typeof communityTypes)[number];
  defaultRole: Role | null;
  defaultContent?: { type: 'site'; site: string };
  logo?: string;
  sso: boolean;
  ai: boolean;
  inviteLinks: boolean;
  createdAt: string;
  /** Members by role, disabled ones too. */
  members: RoleCounts;
  /** Admins who are not disabled: never none. */
  admins: number;
  teams: number;
  /** SAML providers. */
  providers: number;
}

/** Who is in an organization, and in which of its teams. */
export interface MemberDocument {
  _id: string;
  organization: string;
  user: string;
  role: Role | null;
  disabled: boolean;
  sso: boolean;
  joinedAt: string;
  lastSeenAt?: string;
  /** Ids of teams; `owned` are those of them whose members it manages. */
  teams: string[];
  owned: string[];
  /** Counts changes of role, teams and `disabled`: writes are made on the version that was read. */
  version: number;
  /** As the user has them, for the search. */
  displayName: string;
  email: string;
}

export interface TeamDocument {
  _id: string;
  organization: string;
  title: string;
  members: number;
  createdAt: string;
}

/** Whoever knows the id joins by it, so it is a secret. */
export interface InviteDocument {
  _id: string;
  organization: string;
  /** What it leads to: one of the organization's collections or spaces, or itself. */
  to: 'organization' | 'space' | 'collection';
  target: string;
  role: Role | null;
  createdAt: string;
  expiresAt?: string;
}

/** Who has, or had, a subdomain; one that is not used any more is free to be taken. */
export interface SubdomainDocument {
  _id: string;
  organization: string;
  active: boolean;
}

export interface SamlProviderDocument {
  _id: string;
  organization: string;
  label: string;
  entityID?: string;
  certificate?: string;
  ssoURL?: string;
  defaultTeam?: string | null;
  defaultRole: Role | null;
  createdAt: string;
}

/** A sign-in under way; taken away when it ends, so that an answer counts once. */
export interface SamlRequestDocument {
  _id: string;
  provider: string;
  createdAt: string;
  expiresAt: string;
}

export interface AuditDocument extends Omit<AuditRecord, 'id' | 'organization'> {
  _id: string;
  organization: string;
  /** As `actor.id` and `resource.id`, for lists by them. */
  by: string | null;
  on: string;
}

/** One document: what the first start made. */
export interface BootstrapDocument {
  _id: 'bootstrap';
  user: string;
  organization: string;
  /** The space of the handbook, which is there when `handbook` says so. */
  space: string;
  handbook?: true;
  /** Of the `BOOTSTRAP_TOKEN` that was taken last. */
  tokenHash?: string;
  /** Until then one process alone may tell of it. */
  claimedUntil?: string;
  /** The one who started it was told. */
  told?: true;
}

export const users = collection<UserDocument>('identity_users', [{ on: { emailLower: 1 }, unique: true }]);
export const tokens = collection<TokenDocument>('identity_tokens', [
  { on: { hash: 1 }, unique: true },
  { on: { user: 1, createdAt: -1 } },
  { on: { user: 1, scope: 1, createdAt: -1 } },
]);
export const organizations = collection<OrganizationDocument>('identity_organizations', [
  { kind: 'multikey', array: 'emailDomains', sort: { createdAt: 1 } },
]);
export const members = collection<MemberDocument>('identity_members', [
  { on: { user: 1, disabled: 1, joinedAt: 1 } },
  { on: { organization: 1, joinedAt: 1 } },
  { on: { organization: 1, role: 1, joinedAt: 1 } },
  { on: { organization: 1, lastSeenAt: 1 } },
  { on: { organization: 1, role: 1, lastSeenAt: 1 } },
  { on: { organization: 1, user: 1 } },
  { kind: 'multikey', array: 'teams', within: ['organization'], sort: { joinedAt: 1 } },
  { kind: 'contains', name: 'person', fields: ['displayName', 'email'], within: ['organization'] },
]);
export const teams = collection<TeamDocument>('identity_teams', [
  { on: { organization: 1, createdAt: 1 } },
  { kind: 'contains', name: 'title', fields: ['title'], within: ['organization'] },
]);
export const invites = collection<InviteDocument>('identity_invites', [
  { on: { organization: 1, to: 1, createdAt: -1 } },
  { on: { expiresAt: 1 }, where: 'expiresAt' },
]);
export const subdomains = collection<SubdomainDocument>('identity_subdomains');
export const samlProviders = collection<SamlProviderDocument>('identity_saml_providers', [
  { on: { organization: 1, createdAt: 1 } },
]);
export const samlRequests = collection<SamlRequestDocument>('identity_saml_requests', [{ on: { expiresAt: 1 } }]);
export const auditEvents = collection<AuditDocument>('identity_audit_events', [
  { on: { organization: 1, createdAt: 1 } },
  { on: { organization: 1, by: 1, createdAt: 1 } },
  { on: { organization: 1, operation: 1, createdAt: 1 } },
  { on: { organization: 1, on: 1, createdAt: 1 } },
  { on: { createdAt: 1 } },
]);
export const bootstraps = collection<BootstrapDocument>('identity_bootstraps');

const outboxEvents = outboxCollection('identity');
const { jobs, locks } = jobCollections('identity');

export const collections = [
  users,
  tokens,
  organizations,
  members,
  teams,
  invites,
  subdomains,
  samlProviders,
  samlRequests,
  auditEvents,
  bootstraps,
  outboxEvents,
  jobs,
  locks,
] as Collection<never>[];

export const memberId = (organization: string, user: string) => `${organization}:${user}`;

export function presentUser(baseUrl: string, user: UserDocument, withEmail: boolean): User {
  return {
    object: 'user',
    id: user._id,
    displayName: user.displayName,
    ...(withEmail ? { email: user.email } : {}),
    ...(user.photoURL ? { photoURL: user.photoURL } : {}),
    urls: { location: `${baseUrl}/v1/users/${user._id}` },
  };
}

export function presentToken(baseUrl: string, token: TokenDocument): ApiToken {
  const { _id: id, label, preview, createdAt, expiresAt, lastUsedAt } = token;
  return {
    object: 'api-token',
    id,
    label,
    preview,
    createdAt,
    ...(expiresAt ? { expiresAt } : {}),
    ...(lastUsedAt ? { lastUsedAt } : {}),
    urls: { location: `${baseUrl}/v1/user/tokens/${id}` },
  };
}

/** `membership` is the caller's; undefined for one that only looks. */
export function presentOrganization(
  baseUrl: string,
  organization: OrganizationDocument,
  membership: { role: string | null; owned: string[] } | undefined,
): Organization {
  const { _id: id, title, createdAt, emailDomains, type, sso, ai, inviteLinks, defaultRole, logo } = organization;
  const { hostname, useCase, communityType, defaultContent } = organization;
  const permissions = permissionsOf(organizationKind, membership?.role);
  return {
    object: 'organization',
    id,
    title,
    createdAt,
    emailDomains,
    ...(hostname ? { hostname } : {}),
    type,
    ...(useCase ? { useCase } : {}),
    ...(communityType ? { communityType } : {}),
    defaultRole,
    ...(defaultContent ? { defaultContent } : {}),
    sso,
    ai,
    inviteLinks,
    plan: 'enterprise_2024',
    urls: { location: `${baseUrl}/v1/orgs/${id}`, app: `${baseUrl}/app/o/${id}`, ...(logo ? { logo } : {}) },
    trial: { status: 'notapplicable' },
    internal_isOnNewTrial: true,
    permissions: { ...permissions, ownTeam: permissions.ownTeam || (membership?.owned.length ?? 0) > 0 },
  };
}
