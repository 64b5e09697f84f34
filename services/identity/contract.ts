import type { Caller } from '../../shared/contract/caller.js';
import { defineContract } from '../../shared/contract/operation.js';
import { question, verb } from '../../shared/contract/verb.js';
import { accountOperations } from './contract/accounts.js';
import { auditOperations } from './contract/audit.js';
import { inviteOperations } from './contract/invites.js';
import { memberOperations } from './contract/members.js';
import { organizationOperations } from './contract/organizations.js';
import { signInOperations } from './contract/sign-in.js';
import { ssoOperations } from './contract/sso.js';
import { teamOperations } from './contract/teams.js';
import type { Role, Team, User } from './resources.js';

export const identityContract = defineContract('identity', {
  ...accountOperations,
  ...signInOperations,
  ...organizationOperations,
  ...inviteOperations,
  ...memberOperations,
  ...teamOperations,
  ...ssoOperations,
  ...auditOperations,
});

/** Who a token is, by its SHA-256 or its id; null for one that is unknown, revoked or expired. */
export const authenticate = question<{ hash: string } | { id: string }, { caller: Caller; expiresAt?: string } | null>(
  'identity',
  'authenticate',
);

/** What decides what a member reaches. */
export interface Principal {
  user: string;
  role: Role | null;
  teams: string[];
  disabled: boolean;
}

/** Members and teams of one organization by their ids; those it has not are left out. */
export const findPrincipals = question<
  { organization: string; users: string[]; teams: string[] },
  { members: (Principal & { resource: User })[]; teams: Team[] }
>('identity', 'findPrincipals');

/** Every member of an organization, at most 1,000 at a time, in the order of their ids. */
export const listPrincipals = question<{ organization: string; after?: string }, { items: Principal[]; next?: string }>(
  'identity',
  'listPrincipals',
);

/** What the published URLs of an organization's sites are made of. */
export interface PublishingOrganization {
  id: string;
  title: string;
  hostname?: string;
  /** The site at the root of its host name. */
  defaultSite?: string;
}

/** An organization by its id or by its host name; null when there is none. */
export const findOrganization = question<{ id: string } | { hostname: string }, PublishingOrganization | null>(
  'identity',
  'findOrganization',
);

export interface SignInStart {
  /** Where the identity provider takes over. */
  redirect: string;
}

/** Begins a sign-in by the SAML provider. */
export const startSamlSignIn = verb<{ provider: string }, SignInStart>('identity', 'startSamlSignIn');

/** Ends a sign-in: the answer of the identity provider against an API token of the one organization. */
export const finishSamlSignIn = verb<
  { provider: string; response: string },
  { token: string; expiresAt: string; organization: string; user: User }
>('identity', 'finishSamlSignIn');

/** What the identity provider is told of us: XML. */
export const samlMetadata = question<{ provider: string }, { xml: string }>('identity', 'samlMetadata');
