import { permissionsOf } from '../../../shared/contract/access.js';
import { type Collection, collection } from '../../../shared/store/port.js';
import { omitUndefined } from '../../../shared/values/omit-undefined.js';
import {
  type communityTypes,
  type Organization,
  organizationKind,
  organizationTerms,
  type organizationTypes,
  type Role,
  type useCases,
} from './resources.js';

/** The number of members by role. */
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
  /** Members by role, including disabled ones. */
  members: RoleCounts;
  /** The number of admins who are not disabled; at least one. */
  admins: number;
  teams: number;
  /** The number of SAML and OpenID Connect providers. */
  providers: number;
  /** The hash of the archive that it is being imported from. */
  importing?: string;
}

/** The owner of a subdomain. An inactive one belonged to `organization` and is free to be taken. */
export interface SubdomainDocument {
  _id: string;
  organization: string;
  active: boolean;
}

/** The membership of a user in an organization and its teams. */
export interface MemberDocument {
  _id: string;
  organization: string;
  user: string;
  role: Role | null;
  disabled: boolean;
  sso: boolean;
  joinedAt: string;
  lastSeenAt?: string;
  /** Ids of teams. */
  teams: string[];
  /** The teams out of `teams` whose members this member manages. */
  owned: string[];
  /** Incremented with `role`, `disabled` and `teams`; these are written only at the version that was read. */
  version: number;
  /**
   * The invite that the user has not accepted yet: the id of who sent it, and what `disabled` is to become. Until then `disabled` is
   * true, and the copies below hold only what the inviter knows.
   */
  pending?: { by: string; disabled: boolean };
  /** Copies of the user's fields, for the search. */
  displayName: string;
  email: string;
}

/** A team; memberships keep its number of members. */
export interface TeamDocument {
  _id: string;
  organization: string;
  title: string;
  members: number;
  createdAt: string;
}

/** An identity provider through which members of an organization sign in. */
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

/** A team or a role, or both, for the people of one group of an identity provider. */
export interface GroupMapping {
  group: string;
  /** The id of a team. */
  team?: string | undefined;
  role?: Role | undefined;
}

/** An OpenID Connect provider through which members of an organization sign in. */
export interface OidcProviderDocument {
  _id: string;
  organization: string;
  label: string;
  issuer: string;
  clientId: string;
  /** Encrypted. A client without one is a public client. */
  clientSecret?: string;
  scopes: string[];
  /** The claim that names the groups of a person. */
  groupsClaim?: string;
  groups: GroupMapping[];
  /** Lower case. Empty: people with any address. */
  emailDomains: string[];
  defaultTeam?: string | null;
  defaultRole: Role | null;
  active: boolean;
  createdAt: string;
}

/** The account of a person at an OpenID Connect provider. */
export interface OidcSubjectDocument {
  /** The hash of provider, issuer and subject. */
  _id: string;
  provider: string;
  issuer: string;
  organization: string;
  user: string;
  createdAt: string;
}

export const organizations = collection<OrganizationDocument>('identity_organizations');
export const subdomains = collection<SubdomainDocument>('identity_subdomains');
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
export const samlProviders = collection<SamlProviderDocument>('identity_saml_providers', [
  { on: { organization: 1, createdAt: 1 } },
]);
export const oidcProviders = collection<OidcProviderDocument>('identity_oidc_providers', [
  { on: { organization: 1, createdAt: 1 } },
]);
export const oidcSubjects = collection<OidcSubjectDocument>('identity_oidc_subjects', [
  { on: { provider: 1, issuer: 1, user: 1 }, unique: true },
  { on: { organization: 1, user: 1 } },
]);

export const organizationCollections = [
  organizations,
  subdomains,
  members,
  teams,
  samlProviders,
  oidcProviders,
  oidcSubjects,
] as Collection<never>[];

export const memberId = (organization: string, user: string) => `${organization}:${user}`;

const organizationUrls = (baseUrl: string, id: string, logo: string | undefined): Organization['urls'] => ({
  location: `${baseUrl}/v1/orgs/${id}`,
  app: `${baseUrl}/app/o/${id}`,
  ...(logo ? { logo } : {}),
});

/** `membership` is the caller's; undefined where the caller is not a member. */
export function presentOrganization(
  baseUrl: string,
  organization: OrganizationDocument,
  membership: { role: string | null; owned: string[] } | undefined,
): Organization {
  const { _id: id, title, createdAt, emailDomains, type, sso, ai, inviteLinks, defaultRole, logo } = organization;
  const { hostname, useCase, communityType, defaultContent } = organization;
  const permissions = permissionsOf(organizationKind, membership?.role);
  return omitUndefined({
    object: 'organization',
    id,
    title,
    createdAt,
    emailDomains,
    hostname: hostname || undefined,
    type,
    useCase: useCase || undefined,
    communityType: communityType || undefined,
    defaultRole,
    defaultContent,
    sso,
    ai,
    inviteLinks,
    ...organizationTerms,
    urls: organizationUrls(baseUrl, id, logo),
    permissions: { ...permissions, ownTeam: permissions.ownTeam || (membership?.owned.length ?? 0) > 0 },
  });
}

/** An organization for those who do not belong to it: only what its public content reveals too. */
export function presentForeignOrganization(
  baseUrl: string,
  { _id: id, title, createdAt, hostname, logo, type }: OrganizationDocument,
): Organization {
  return {
    object: 'organization',
    id,
    title,
    createdAt,
    emailDomains: [],
    ...(hostname ? { hostname } : {}),
    type,
    inviteLinks: false,
    ...organizationTerms,
    urls: organizationUrls(baseUrl, id, logo),
    permissions: permissionsOf(organizationKind, undefined),
  };
}
