import { permissionsOf } from '../../shared/contract/operation.js';
import { outboxCollection } from '../../shared/outbox.js';
import { type Collection, collection } from '../../shared/store/port.js';
import {
  type ApiToken,
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
  /** SHA-256 of the secret, hexadecimal. */
  hash: string;
  preview: string;
  label: string;
  createdAt: string;
  expiresAt?: string;
  lastUsedAt?: string;
}

export interface OrganizationDocument {
  _id: string;
  title: string;
  emailDomains: string[];
  type: (typeof organizationTypes)[number];
  useCase?: (typeof useCases)[number];
  inviteLinks: boolean;
  createdAt: string;
}

export interface MemberDocument {
  _id: string;
  organization: string;
  user: string;
  role: Role | null;
  disabled: boolean;
  joinedAt: string;
}

/** One document: what the first start made. */
export interface BootstrapDocument {
  _id: 'bootstrap';
  user: string;
  organization: string;
  tokenHash: string;
  /** The one who started it was told. */
  told?: true;
}

export const users = collection<UserDocument>('identity_users', [{ on: { emailLower: 1 }, unique: true }]);
export const tokens = collection<TokenDocument>('identity_tokens', [
  { on: { hash: 1 }, unique: true },
  { on: { user: 1, createdAt: -1 } },
]);
export const organizations = collection<OrganizationDocument>('identity_organizations');
export const members = collection<MemberDocument>('identity_members', [
  { on: { user: 1, disabled: 1, joinedAt: 1 } },
  { on: { organization: 1, joinedAt: 1 } },
]);
export const bootstraps = collection<BootstrapDocument>('identity_bootstraps');

export const outboxEvents = outboxCollection('identity');

export const collections = [users, tokens, organizations, members, bootstraps, outboxEvents] as Collection<never>[];

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

export function presentOrganization(
  baseUrl: string,
  organization: OrganizationDocument,
  role: Role | null,
): Organization {
  const { _id: id, title, createdAt, emailDomains, type, useCase, inviteLinks } = organization;
  return {
    object: 'organization',
    id,
    title,
    createdAt,
    emailDomains,
    type,
    ...(useCase ? { useCase } : {}),
    inviteLinks,
    plan: 'enterprise_2024',
    urls: { location: `${baseUrl}/v1/orgs/${id}`, app: `${baseUrl}/app/o/${id}` },
    trial: { status: 'notapplicable' },
    internal_isOnNewTrial: true,
    permissions: permissionsOf(organizationKind, role),
  };
}
