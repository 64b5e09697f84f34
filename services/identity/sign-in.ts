import { setTimeout as delay } from 'node:timers/promises';
import { type Audit, type AuditRecord, auditRecord } from '../../shared/contract/audit.js';
import { apiError } from '../../shared/errors.js';
import { newSecret, sha256, timestamp } from '../../shared/ids.js';
import type { Mail } from '../../shared/mail.js';
import type { Secrets } from '../../shared/secrets/secrets.js';
import { again } from '../../shared/store/again.js';
import { type Store, StoreConflict, type Write, write } from '../../shared/store/port.js';
import type { JobKind, Jobs } from '../../shared/work/jobs.js';
import { presentToken, type TokenDocument, tokens, type UserDocument, users } from './model.js';
import type { ApiToken } from './resources.js';
import { type Invitation, linkMail } from './sign-in-mail.js';
import { signInMails, signIns } from './sign-in-model.js';
import { newToken } from './tokens.js';

/** What sign-in by mail works with. */
export interface LinkRules {
  store: Store;
  mail: Mail;
  jobs: Pick<Jobs, 'enqueue' | 'wake'>;
  secrets: Pick<Secrets, 'encrypt' | 'decrypt'>;
  baseUrl: string;
  /** Keeps the record of who signed in, whom the call itself does not know. */
  auditWrite: (record: AuditRecord) => Write;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const linkMs = 15 * minuteMs;
const inviteMs = 7 * dayMs;
const tokenMs = 90 * dayMs;
const mailsAnHour = 5;
/** Longer than the work for an address with an account takes, so that the time of the answer does not tell of one. */
const answerMs = 250;

const fromNow = (ms: number) => timestamp(new Date(Date.now() + ms));

interface MailPayload {
  user: string;
  /** The code, encrypted. */
  sealed: string;
  /** Absent for a link that was asked for. */
  invitation?: Invitation;
}

const mailKind = 'sendMail';

/** A new code for a user, and the job that sends it. */
function linkTo({ jobs, secrets }: LinkRules, user: string, lifeMs: number, invitation?: Invitation): Write[] {
  const code = newSecret();
  const payload: MailPayload = { user, sealed: secrets.encrypt(code), ...(invitation ? { invitation } : {}) };
  return [
    write.insert(signIns, { _id: sha256(code), user, createdAt: timestamp(), expiresAt: fromNow(lifeMs) }),
    jobs.enqueue(mailKind, payload),
  ];
}

/**
 * What sends the invited their way in, for the batch that invites them; wake the jobs after it. Nothing where mail is
 * not configured. `organization` is its title, `inviter` a display name.
 */
export function inviteMails(
  rules: LinkRules,
  organization: string,
  inviter: string,
  invited: Pick<UserDocument, '_id'>[],
): Write[] {
  if (!rules.mail.configured) return [];
  return invited.flatMap(({ _id }) => linkTo(rules, _id, inviteMs, { organization, inviter }));
}

/** Sends a link to an address that has an account. 412 where mail is not configured. */
export async function signInRequest(rules: LinkRules, email: string, audit: Audit): Promise<void> {
  if (!rules.mail.configured) throw apiError('PRECONDITION_FAILED', 'Mail is not configured on this installation');
  await Promise.all([sendLink(rules, email, audit), delay(answerMs)]);
}

async function sendLink(rules: LinkRules, email: string, audit: Audit): Promise<void> {
  const { store, jobs } = rules;
  const user = await store.findOne(users, { emailLower: email.toLowerCase() }, { fields: ['emailLower'] });
  if (!user) return;
  await again(async () => {
    const counted = await countMail(store, user._id);
    if (!counted) return;
    await store.batch([counted, ...linkTo(rules, user._id, linkMs), audit('user', user._id, { organization: null })]);
  });
  jobs.wake();
}

/** The write that counts one more mail to a user; null when there were enough in the last hour. */
async function countMail(store: Store, user: string): Promise<Write | null> {
  const now = timestamp();
  const before = await store.upsert(
    signInMails,
    { _id: user },
    { $setOnInsert: { sent: [], lastAt: now, version: 0 } },
  );
  const sent = before.sent.filter((at) => at > fromNow(-hourMs));
  if (sent.length >= mailsAnHour) return null;
  return write.update(
    signInMails,
    { _id: user, version: before.version },
    { $set: { sent: [...sent, now], lastAt: now }, $inc: { version: 1 } },
    { expect: 1 },
  );
}

/** The link of a mail against an API token, once. 404 for a code that is unknown, used or expired. */
export async function signIn(
  { store, baseUrl, auditWrite }: Pick<LinkRules, 'store' | 'baseUrl' | 'auditWrite'>,
  code: string,
  label: string,
  requestId: string,
): Promise<ApiToken & { token: string }> {
  const unused = { _id: sha256(code), expiresAt: { $gt: timestamp() } };
  const found = await store.findOne(signIns, unused);
  if (!found) throw noSuchLink();
  const { document, secret } = newToken(found.user, { label, expiresAt: fromNow(tokenMs) });
  try {
    await store.batch([
      write.delete(signIns, unused, { expect: 1 }),
      write.insert(tokens, document),
      auditWrite(recordOf(document, requestId)),
    ]);
  } catch (error) {
    if (error instanceof StoreConflict) throw noSuchLink();
    throw error;
  }
  return { ...presentToken(baseUrl, document), token: secret };
}

function recordOf({ _id, user, label }: TokenDocument, requestId: string): AuditRecord {
  const caller = { kind: 'user', user, token: _id, memberships: {} } as const;
  const about = { operation: 'signIn', caller, organization: null, requestId };
  return auditRecord(about, { type: 'api-token', id: _id }, { details: { label } });
}

const noSuchLink = () => apiError('NOT_FOUND', 'This sign-in link is unknown, used or expired: ask for a new one');

/** Sends the mails; a link that cannot be used any more is not sent. */
export function mailJob(rules: LinkRules): JobKind<MailPayload> {
  return {
    kind: mailKind,
    attempts: 5,
    backoff: (attempts) => 5000 * 6 ** (attempts - 1),
    async run({ job, signal }) {
      const { store, mail, secrets, baseUrl } = rules;
      const { user: id, sealed, invitation } = job.payload;
      const code = secrets.decrypt(sealed);
      const link = await store.findOne(signIns, { _id: sha256(code), expiresAt: { $gt: timestamp() } });
      const user = await store.get(users, id, { fields: ['email'] });
      if (!link || !user) return;
      const content = linkMail(`${baseUrl}/sign-in#code=${code}`, link.expiresAt, invitation);
      await unlessStopped(signal, mail.send({ id: job._id, to: user.email, ...content }));
    },
  };
}

const lastMs = 3_000;

/** A mail on its way has a moment to arrive when the process stops; then it is left for the next start. */
async function unlessStopped(signal: AbortSignal, sending: Promise<void>): Promise<void> {
  let late: NodeJS.Timeout | undefined;
  const stopped = new Promise<never>((_, reject) => {
    const wait = () => {
      late = setTimeout(() => reject(signal.reason), lastMs);
    };
    if (signal.aborted) wait();
    else signal.addEventListener('abort', wait, { once: true });
  });
  try {
    await Promise.race([sending, stopped]);
  } finally {
    clearTimeout(late);
  }
}

/** Drops links and counts whose time is over. */
export async function sweepSignIns(store: Store): Promise<void> {
  await store.deleteMany(signIns, { expiresAt: { $lte: timestamp() } });
  await store.deleteMany(signInMails, { lastAt: { $lte: fromNow(-hourMs) } });
}
