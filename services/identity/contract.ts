import type { Caller } from '../../shared/contract/caller.js';
import type { Call } from '../../shared/contract/context.js';
import type { IntegrationSubject } from '../../shared/contract/integration-token.js';
import { defineContract } from '../../shared/contract/operation.js';
import { question, verb } from '../../shared/contract/verb.js';
import { apiTokenOperations, userOperations } from './contract/accounts.js';
import { auditOperations } from './contract/audit.js';
import { domainOperations } from './contract/domains.js';
import type { Principal } from './contract/granting.js';
import { inviteOperations, joiningOperations, userInviteOperations } from './contract/joining.js';
import { memberOperations } from './contract/members.js';
import { oidcProviderOperations } from './contract/oidc.js';
import { organizationOperations } from './contract/organizations.js';
import { passkeyOperations } from './contract/passkeys.js';
import { samlProviderOperations } from './contract/saml.js';
import { sessionOperations } from './contract/sessions.js';
import { signInOperations } from './contract/sign-in.js';
import { teamMemberOperations, teamOperations } from './contract/teams.js';
import type { Member, Organization, Role, User } from './resources.js';

export * from './contract/granting.js';
export { describeInvite, type InviteDescription } from './contract/joining.js';
export {
  type ArchivedPerson,
  checkArchiveImport,
  endArchiveImport,
  type ImportedArchive,
  makeAccounts,
} from './contract/organizations.js';
export {
  addPasskey,
  beginPasskey,
  challengePasskey,
  openSessionByPasskey,
  passkeyDomain,
} from './contract/passkeys.js';
export * from './contract/sessions.js';
export * from './contract/single-sign-on.js';

export const identityContract = defineContract('identity', {
  ...userOperations,
  ...apiTokenOperations,
  ...sessionOperations,
  ...passkeyOperations,
  ...signInOperations,
  ...organizationOperations,
  ...domainOperations,
  ...joiningOperations,
  ...inviteOperations,
  ...userInviteOperations,
  ...memberOperations,
  ...teamOperations,
  ...teamMemberOperations,
  ...samlProviderOperations,
  ...oidcProviderOperations,
  ...auditOperations,
});

/** Returns the caller behind a token, named by its SHA-256 or its id; null where it is unknown, revoked or expired. */
export const authenticate = question<{ hash: string } | { id: string }, { caller: Caller; expiresAt?: string } | null>(
  'identity',
  'authenticate',
);

/** Asks integrations for the caller whom a temporary token speaks for; null when the integration was unpublished or uninstalled, or the tunnel closed, since. */
export const callerOfIntegration = question<{ subject: IntegrationSubject }, Caller | null>(
  'integrations',
  'callerOfIntegration',
);

/**
 * Finds users by their ids, in the order of the ids: members of the organization, and people who have left it, without their
 * address. Visitors of sites and integrations are shown no addresses. A user who does not exist is shown by its id.
 */
export const findUsers = question<{ organization: string; ids: string[] }, User[]>('identity', 'findUsers');

/** The users with these ids, asked for at once: a function that throws for none of them. */
export async function openUserLookup(
  call: Call,
  organization: string,
  ids: readonly string[],
): Promise<(id: string) => User> {
  const found = ids.length > 0 ? await call(findUsers, { organization, ids: [...new Set(ids)] }) : [];
  const known = new Map(found.map((user) => [user.id, user]));
  return (id) => known.get(id) as User;
}

/** Finds members of an organization by the ids of their users. People who are no members are left out. */
export const findMembers = question<{ organization: string; ids: string[] }, Member[]>('identity', 'findMembers');

/** A user who may be mailed about comments. */
export interface MailRecipient {
  user: string;
  address: string;
  /** A page on which the recipient, or their mail program, ends these mails. */
  unsubscribeURL: string;
}

/** Picks, from the given users, the members who can be mailed and have not turned off mails about comments. */
export const findMailRecipients = question<{ organization: string; users: string[] }, MailRecipient[]>(
  'identity',
  'findMailRecipients',
);

/** Ends mails about comments for the user whom the token of an `unsubscribeURL` names; false for any other token. */
export const unsubscribe = verb<{ token: string }, boolean>('identity', 'unsubscribe');

/** Lists the members of an organization in the order of their user ids, at most 1,000 at a time; `next` continues the list. */
export const listPrincipals = question<{ organization: string; after?: string }, { items: Principal[]; next?: string }>(
  'identity',
  'listPrincipals',
);

/** A member with what people search and sort members by. */
export interface MemberProfile extends Principal {
  displayName: string;
  email: string;
  joinedAt: string;
  lastSeenAt?: string;
}

/** As `listPrincipals`, with the profiles of the members. */
export const listMemberProfiles = question<
  { organization: string; after?: string },
  { items: MemberProfile[]; next?: string }
>('identity', 'listMemberProfiles');

/** The parts of an organization that the URLs of its published sites are built from. */
export interface PublishingOrganization {
  id: string;
  title: string;
  hostname?: string;
  /** The site at the root of its host name. */
  defaultSite?: string;
}

/** Finds an organization by its id or by the host name that it uses; null where there is none. */
export const findOrganization = question<{ id: string } | { hostname: string }, PublishingOrganization | null>(
  'identity',
  'findOrganization',
);

/**
 * Organizations as the caller sees them, in the order of the ids, null for an unknown one. Of an organization that the caller does not belong to:
 * its name, host name, logo and type alone, without any permission.
 */
export const presentOrganizations = question<{ ids: string[] }, (Organization | null)[]>(
  'identity',
  'presentOrganizations',
);

/** Has domains looked up that an organization begins to use. Throws 409 for too many without proof. */
export const claimDomains = verb<{ organization: string; domains: string[] }, void>('identity', 'claimDomains');

/**
 * Finds the organizations for which domains count, by domain, those that go before others first: the one that has proven it,
 * else those that need no proof.
 */
export const findDomainOwners = question<{ domains: string[] }, Record<string, string[]>>(
  'identity',
  'findDomainOwners',
);

// Questions and orders to the services above, which implement them: identity addresses them by name alone.

export interface ImportHandbook {
  organization: string;
  /** The user who gets the space. */
  creator: string;
  /** The id of the space. */
  space: string;
}

/** Makes a space of the handbook that ships with the product; an existing space of this id is left as it is. */
export const importHandbook = verb<ImportHandbook, void>('content', 'importHandbook');

export interface PublishHandbook {
  organization: string;
  /** The id of its space. */
  space: string;
  /** The id of the site. */
  site: string;
}

/**
 * Makes a public, published site of the space of the handbook, and tells the address of its visitors. An existing site of this id is left as it is; null
 * where it is shown to nobody, and where the space is gone.
 */
export const publishHandbook = verb<PublishHandbook, string | null>('sites', 'publishHandbook');

export interface CountSpaces {
  organization: string;
  members: Pick<Principal, 'user' | 'role' | 'teams' | 'disabled'>[];
  teams: string[];
}

/** The number of spaces that each member has access to, and that are granted to each team, in the order of the question. */
export const countSpaces = question<CountSpaces, { members: number[]; teams: number[] }>('content', 'countSpaces');

export interface GrantByInvite {
  organization: string;
  kind: 'space' | 'collection';
  /** The id of the space or collection. */
  id: string;
  user: string;
  level: Role | null;
}

/** Gives a member at least this level on a space or a collection; a higher level that it already has stays. */
export const grantByInvite = verb<GrantByInvite, void>('content', 'grantByInvite');

/** Whether an organization has a site. */
export const hasSite = question<{ organization: string; site: string }, boolean>('sites', 'hasSite');

export interface CountSites {
  organization: string;
  /** Processes of the last release name no user and no teams. */
  members: { user?: string; role: Role | null; teams?: string[]; disabled: boolean }[];
}

/** The number of sites that each member can access, in the order of the question. */
export const countSites = question<CountSites, number[]>('sites', 'countSites');
