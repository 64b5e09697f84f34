import type { BodyOf } from '../../../shared/contract/operation.js';
import { type Store, type Write, write } from '../../../shared/store/port.js';
import type { joiningOperations } from '../contract/joining.js';
import { joinWrites } from '../organizations/memberships.js';
import { memberId, members, type OrganizationDocument } from '../organizations/model.js';
import type { Role } from '../organizations/resources.js';
import { type UserDocument, users } from '../users/model.js';
import { nameFromEmail, newUser, readUsersByEmail } from '../users/users.js';

type EmailInvites = BodyOf<typeof joiningOperations.inviteUsersToOrganization>;

interface Invitee {
  email: string;
  role: Role | null;
  user: UserDocument;
  /** Whether `user` is not stored yet. */
  isNew: boolean;
  /** Undefined for a user who is not a member yet. */
  member: { sso: boolean } | undefined;
  /** Whether the user, somebody with an account, has to accept; all others are members at once. */
  accepts: boolean;
}

/** Each address once, in the order of the request, with its role. */
function rolesByAddress({ emails, role = null }: Pick<EmailInvites, 'emails' | 'role'>) {
  const wanted = new Map<string, { email: string; role: Role | null }>();
  for (const item of emails) {
    const one = typeof item === 'string' ? { email: item, role } : item;
    if (!wanted.has(one.email.toLowerCase())) wanted.set(one.email.toLowerCase(), one);
  }
  return wanted;
}

/** Resolves invited addresses to users, in the order of the request; an unknown address gets a new user. */
export async function resolveInvitees(
  store: Store,
  { organization, input }: { organization: OrganizationDocument; input: EmailInvites },
): Promise<Invitee[]> {
  const { emails, role = organization.defaultRole } = input;
  const wanted = rolesByAddress({ emails, role });
  const known = await readUsersByEmail(store, [...wanted.keys()]);
  const found = await store.getMany(
    members,
    [...known.values()].map((user) => memberId(organization._id, user._id)),
  );
  const memberByUser = new Map(found.map((member) => [member.user, member]));
  return [...wanted].map(([lower, { email, role }]) => {
    const user = known.get(lower);
    return {
      email,
      role,
      user: user ?? newUser(email, { unproven: 'invited' }),
      isNew: user === undefined,
      accepts: user !== undefined && user.unproven !== 'invited',
      member: user && memberByUser.get(user._id),
    };
  });
}

interface Joining {
  organization: string;
  sso: boolean;
  /** The id of who invites. */
  inviter: string;
}

/**
 * Returns the writes that make an invited person a member, or somebody who has to accept. Both look alike to those who invite: the
 * address, the name in it, and that they are awaited.
 */
export function inviteeWrites(
  { user, email, role, isNew, accepts }: Invitee,
  { organization, sso, inviter }: Joining,
): Write[] {
  const { _id } = user;
  const invited = { _id, email, displayName: nameFromEmail(email) };
  if (accepts) return joinWrites({ organization, user: invited, role, sso, invitedBy: inviter });
  return [
    isNew ? write.insert(users, user) : write.check(users, { _id, unproven: 'invited' }, 1),
    ...joinWrites({ organization, user: invited, role, sso }),
  ];
}
