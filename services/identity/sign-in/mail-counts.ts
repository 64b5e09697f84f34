import { apiError } from '../../../shared/errors/errors.js';
import type { HasMail } from '../../../shared/outbound/mail.js';
import type { HasStore, Store } from '../../../shared/store/port.js';
import { sha256, timestamp } from '../../../shared/values/ids.js';
import type { UserDocument } from '../users/model.js';
import { mailCounts } from './model.js';

const hourMs = 3_600_000;

/** Limits on mailed invites per inviter, organization and recipient, each within its span of time. */
const limits = {
  inviter: { max: 1000, ms: hourMs },
  organization: { max: 5000, ms: 24 * hourMs },
  recipient: { max: 10, ms: 24 * hourMs },
};

interface Counted {
  /** The id of the user or organization. */
  id: string;
  mails: number;
}

/** Counts mails before they are sent. False, with nothing counted, where they would exceed the limit. */
async function countMails(store: Store, by: keyof typeof limits, { id, mails }: Counted): Promise<boolean> {
  const { max, ms } = limits[by];
  const span = Math.floor(Date.now() / ms);
  const counter = { _id: `${by} ${id} ${span}` };
  const expiresAt = timestamp(new Date((span + 1) * ms));
  const { sent } = await store.upsert(mailCounts, counter, { $inc: { sent: mails }, $setOnInsert: { expiresAt } });
  if (sent <= max) return true;
  await store.update(mailCounts, counter, { $inc: { sent: -mails } });
  return false;
}

type Deps = HasStore & HasMail;

interface Invites {
  /** The id of a user. */
  inviter: string;
  organization: string;
  mails: number;
}

/** Counts invites that will be mailed. Throws 429 above the limit of the inviter or the organization. */
export async function countInvites({ store, mail }: Deps, { inviter, organization, mails }: Invites): Promise<void> {
  if (!mail.configured) return;
  if (!(await countMails(store, 'inviter', { id: inviter, mails })))
    throw apiError(
      'RATE_LIMITED',
      `More than ${limits.inviter.max} invites by mail in an hour; send the rest later`,
      'mail_limit_reached',
    );
  if (!(await countMails(store, 'organization', { id: organization, mails })))
    throw apiError(
      'RATE_LIMITED',
      `More than ${limits.organization.max} invites by mail to an organization in a day; send the rest later`,
      'mail_limit_reached',
    );
}

/** Drops the part from `+` on: many servers deliver `ada+anything@…` to the mailbox of `ada@…`, which has one limit. */
const mailboxWithoutTag = (emailLower: string): string => emailLower.replace(/\+[^@]*@/, '@');

/** Counts a mail for each user, and returns those who have not had too many today. */
export async function takeMailable({ store, mail }: Deps, users: UserDocument[]): Promise<UserDocument[]> {
  if (!mail.configured) return [];
  const counted = users.map(({ emailLower }) =>
    countMails(store, 'recipient', { id: sha256(mailboxWithoutTag(emailLower)), mails: 1 }),
  );
  const allowed = await Promise.all(counted);
  return users.filter((_, at) => allowed[at]);
}
