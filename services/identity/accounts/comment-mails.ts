import type { SignedTokens } from '../../../shared/secrets/signed-tokens.js';
import type { HasStore } from '../../../shared/store/port.js';
import type { MailRecipient } from '../contract.js';
import { isMemberAwaited } from '../organizations/members.js';
import {
  type MemberDocument,
  memberId,
  members,
  type OrganizationDocument,
  organizations,
} from '../organizations/model.js';
import { users } from '../users/model.js';

/** People find old mails again. */
const unsubscribeSeconds = 5 * 365 * 24 * 3600;

/** Whether a member has access to the organization: one that requires single sign-on refuses all others, but for admins. */
const memberHasAccess = ({ role, disabled, sso }: MemberDocument, organization: OrganizationDocument): boolean =>
  !disabled && (sso || !organization.sso || role === 'admin');

type Dependencies = HasStore & { baseUrl: string; unsubscribeTokens: SignedTokens };

/** Finds those of the users who may read in the organization, have come there themselves, and want mails about comments. */
export async function findMailRecipients(
  { store, baseUrl, unsubscribeTokens }: Dependencies,
  { organization: id, users: wanted }: { organization: string; users: string[] },
): Promise<MailRecipient[]> {
  const memberIds = wanted.map((user) => memberId(id, user));
  const [organization, found, people] = await Promise.all([
    store.get(organizations, id, { fields: ['sso'] }),
    store.getMany(members, memberIds),
    store.getMany(users, wanted),
  ]);
  const memberByUser = new Map(found.map((member) => [member.user, member]));
  const recipients = people.filter((user) => {
    const member = memberByUser.get(user._id);
    if (!organization || !member || !memberHasAccess(member, organization)) return false;
    return user.email !== '' && !isMemberAwaited(member, user) && user.commentMails !== false;
  });
  return Promise.all(
    recipients.map(async ({ _id: user, email: address }) => {
      const token = await unsubscribeTokens.sign({ sub: user }, unsubscribeSeconds);
      return { user, address, unsubscribeURL: `${baseUrl}/unsubscribe?token=${token}` };
    }),
  );
}

/** Ends mails about comments for the user whom a token names; false where it names none. */
export async function endCommentMails(
  { store, unsubscribeTokens }: Dependencies,
  { token }: { token: string },
): Promise<boolean> {
  const user = (await unsubscribeTokens.verify(token))?.sub;
  if (user === undefined) return false;
  return (await store.update(users, { _id: user }, { $set: { commentMails: false } })) !== null;
}
