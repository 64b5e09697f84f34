import { setTimeout as delay } from 'node:timers/promises';
import { type AuditRecord, auditRecord } from '../../../shared/contract/audit.js';
import { apiError, notFound } from '../../../shared/errors/errors.js';
import type { HasJobs } from '../../../shared/jobs/jobs.js';
import type { HasLog } from '../../../shared/monitoring/log.js';
import type { HasMail } from '../../../shared/outbound/mail.js';
import type { HasSecrets } from '../../../shared/secrets/secrets.js';
import { again } from '../../../shared/store/again.js';
import { type HasStore, type Store, StoreConflict, type Write, write } from '../../../shared/store/port.js';
import { newSecret, sha256, timeIn, timestamp } from '../../../shared/values/ids.js';
import { omitUndefined } from '../../../shared/values/omit-undefined.js';
import { newApiToken } from '../accounts/api-tokens.js';
import { apiTokens, presentApiToken } from '../accounts/model.js';
import type { CreatedApiToken } from '../accounts/resources.js';
import { newSession, sessionWrites } from '../accounts/sessions.js';
import type { OpenedSession } from '../contract/sessions.js';
import { acceptWrites, isStillInvited } from '../organizations/memberships.js';
import { memberId, members, organizations } from '../organizations/model.js';
import { type UserDocument, users } from '../users/model.js';
import { type Invitation, linkAddress } from './link-mail.js';
import { type MailPayload, mailJobKind } from './mail-job.js';
import { knownNetworks, mailCounts, signInMails, signIns } from './model.js';

/** The dependencies of sign-in by mail. */
export type LinkDependencies = HasLog & HasStore & HasSecrets & HasJobs & HasMail & { baseUrl: string };

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const linkMs = 15 * minuteMs;
const inviteMs = 7 * dayMs;
const tokenMs = 90 * dayMs;
const mailsPerNetwork = 5;
/** From all networks together that the user has not signed in from. */
const mailsFromStrangers = 20;
const maxKnown = 10;
/** The time of every answer, so that it does not reveal whether an address has an account. */
const answerMs = 250;

interface NewLink {
  user: string;
  validForMs: number;
  /** The id of the organization whose invitation is accepted with it. */
  organization?: string | undefined;
}

/** Returns the write that makes a link for a user, and its code, which is stored nowhere. */
function newLink({ user, validForMs, organization }: NewLink): { code: string; link: Write } {
  const code = newSecret();
  const times = { createdAt: timestamp(), expiresAt: timeIn(validForMs) };
  return { code, link: write.insert(signIns, omitUndefined({ _id: sha256(code), user, organization, ...times })) };
}

interface MailedLink extends Omit<NewLink, 'organization'> {
  invitation?: Invitation;
}

/** Returns the writes that create a link for a user and the job that sends it. */
function linkWrites({ jobs, secrets }: LinkDependencies, { user, validForMs, ...invitation }: MailedLink): Write[] {
  const { code, link } = newLink({ user, validForMs, organization: invitation.invitation?.id });
  const payload: MailPayload = { user, sealed: secrets.encrypt(code), ...invitation };
  return [link, jobs.enqueue(mailJobKind, payload)];
}

interface Invited {
  invitation: Invitation;
  users: Pick<UserDocument, '_id'>[];
}

/** Returns the writes that send sign-in links to invited users (`takeMailable`), for the batch that invites them. */
export function inviteMailWrites(deps: LinkDependencies, { invitation, users: invited }: Invited): Write[] {
  return invited.flatMap(({ _id }) => linkWrites(deps, { user: _id, validForMs: inviteMs, invitation }));
}

interface LinkRequest {
  email: string;
  /** The network that asks. */
  network: string;
}

/**
 * Sends a link to an address if it has an account. The answer waits only for that look-up and does not show whether sending worked: a busy
 * store or a full disk would reveal who has an account. Throws 412 where mail is not configured.
 */
export async function requestLink(deps: LinkDependencies, { email, network }: LinkRequest): Promise<void> {
  const { store, mail, log } = deps;
  if (!mail.configured)
    throw apiError('PRECONDITION_FAILED', 'Mail is not configured on this installation', 'mail_not_configured');
  const due = delay(answerMs);
  const found = await store.findOne(users, { emailLower: email.toLowerCase() }, { fields: ['emailLower'] });
  if (found)
    sendLink(deps, { user: found._id, network }).catch((err) =>
      log.warn({ err, user: found._id }, 'a sign-in link could not be sent; its user has to request another'),
    );
  await due;
}

/** Sends a link to a user, unless too many were requested. */
export async function sendLink(
  deps: LinkDependencies,
  { user, network }: { user: string; network: string },
): Promise<void> {
  const { store } = deps;
  await again(async () => {
    const counted = await countLinkMail(store, user, networkMark(user, network));
    if (!counted) return;
    await store.batch([counted, ...linkWrites(deps, { user, validForMs: linkMs })]);
  });
}

/** Hashes a network together with its user, so that what is stored does not reveal the network. */
const networkMark = (user: string, network: string): string => sha256(`${user} ${network}`).slice(0, 16);

/**
 * Returns the write that counts one more mail to a user; null at a limit. A network from which the user has signed in has a share of
 * its own, which strangers cannot use up.
 */
async function countLinkMail(store: Store, user: string, from: string): Promise<Write | null> {
  const now = timestamp();
  const known = (await store.get(knownNetworks, user))?.marks ?? [];
  const before = await store.upsert(signInMails, { _id: user }, { $setOnInsert: { lastAt: now, version: 0 } });
  const recent = (before.requested ?? []).filter(({ at }) => at > timeIn(-hourMs));
  if (recent.filter((mail) => mail.from === from).length >= mailsPerNetwork) return null;
  const ofStrangers = recent.filter((mail) => !known.includes(mail.from)).length;
  if (!known.includes(from) && ofStrangers >= mailsFromStrangers) return null;
  return write.update(
    signInMails,
    { _id: user, version: before.version },
    { $set: { requested: [...recent, { at: now, from }], lastAt: now }, $inc: { version: 1 } },
    { expect: 1 },
  );
}

/** Remembers the network from which a user signs in. */
async function rememberNetwork(store: Store, user: string, mark: string): Promise<void> {
  const marks = (await store.get(knownNetworks, user))?.marks ?? [];
  if (marks[0] === mark) return;
  const latest = [mark, ...marks.filter((each) => each !== mark)].slice(0, maxKnown);
  await store.upsert(knownNetworks, { _id: user }, { $set: { marks: latest } });
}

interface LinkUse {
  code: string;
  requestId: string;
  /** The network that signs in. */
  network: string;
}

/** The token or the session that a link is exchanged for. */
interface Issued<T> {
  /** The id of the token or the session. */
  id: string;
  writes: Write[];
  answer: T;
}

type SignInDependencies = HasStore & {
  auditWrite: (record: AuditRecord) => Write;
  callersChanged: () => Write;
};

/** Exchanges the code of a link for an API token with a label, once. Throws 404 for a code that is unknown, used or expired. */
export const signIn = (
  deps: SignInDependencies & { baseUrl: string },
  { label, ...use }: LinkUse & { label: string },
): Promise<CreatedApiToken> =>
  redeemLink(deps, use, async (user) => {
    const { document, secret } = newApiToken({ user, label, expiresAt: timeIn(tokenMs) });
    const answer = { ...presentApiToken(deps.baseUrl, document), token: secret };
    return { id: document._id, writes: [write.insert(apiTokens, document)], answer };
  });

/** Exchanges the code of a link for the session of a browser, once. Throws 404 for a code that is unknown, used or expired. */
export const openSessionByLink = (
  deps: SignInDependencies,
  { agent, ...use }: LinkUse & { agent: string },
): Promise<OpenedSession> =>
  redeemLink(deps, use, async (user) => {
    const { document, opened } = newSession({ user, agent });
    return { id: document._id, writes: await sessionWrites(deps.store, document), answer: opened };
  });

/** Exchanges the code of a link. That proves the address, and accepts the invitation of the link. */
async function redeemLink<T>(
  { store, auditWrite, callersChanged }: SignInDependencies,
  { code, requestId, network }: LinkUse,
  issue: (user: string) => Promise<Issued<T>>,
): Promise<T> {
  const unused = { _id: sha256(code), expiresAt: { $gt: timestamp() } };
  const found = await store.findOne(signIns, unused);
  if (!found) throw unknownLinkError();
  const { user, organization = '' } = found;
  const { id, writes, answer } = await issue(user);
  const joined = await acceptInviteWrites(store, { organization, user });
  try {
    await store.batch([
      write.delete(signIns, unused, { expect: 1 }),
      ...writes,
      write.update(users, { _id: user }, { $unset: { unproven: true } }),
      ...(joined
        ? [...joined, auditWrite(newSignInRecord({ id, user }, { organization, requestId })), callersChanged()]
        : []),
    ]);
  } catch (error) {
    if (error instanceof StoreConflict) throw unknownLinkError();
    throw error;
  }
  await rememberNetwork(store, user, networkMark(user, network));
  return answer;
}

/** Names whom a link signs in, so that nobody is signed in as somebody else unawares; null for a code that is unknown, used or expired. */
export async function describeLink(
  store: Store,
  { code }: { code: string },
): Promise<{ email: string; organization?: string } | null> {
  const found = await store.findOne(signIns, { _id: sha256(code), expiresAt: { $gt: timestamp() } });
  if (!found) return null;
  const [user, organization] = await Promise.all([
    store.get(users, found.user, { fields: ['email'] }),
    found.organization === undefined ? null : store.get(organizations, found.organization, { fields: ['title'] }),
  ]);
  return user && { email: user.email, ...(organization ? { organization: organization.title } : {}) };
}

/** Returns the write that makes a link which nobody is mailed, and its address: the operator hands it over. */
export function handedLink(user: string, baseUrl: string): { address: string; link: Write } {
  const { code, link } = newLink({ user, validForMs: inviteMs });
  return { address: linkAddress(baseUrl, code), link };
}

/** Returns the writes that accept the invitation of an organization; null where none waits, or it stands no longer. */
async function acceptInviteWrites(
  store: Store,
  { organization, user: id }: { organization: string; user: string },
): Promise<Write[] | null> {
  const [member, user] = await Promise.all([store.get(members, memberId(organization, id)), store.get(users, id)]);
  return user && member && (await isStillInvited(store, member)) ? acceptWrites(member, user) : null;
}

/** The call itself does not know its user: the new token or session names the caller. */
function newSignInRecord(
  { id, user }: { id: string; user: string },
  about: { organization: string; requestId: string },
): AuditRecord {
  const caller = { kind: 'user', user, token: id, memberships: {} } as const;
  return auditRecord({ operation: 'signIn', caller, ...about }, { type: 'member', id: user });
}

const unknownLinkError = () =>
  apiError('NOT_FOUND', 'This sign-in link is unknown, used or expired; request a new one', 'sign_in_link_expired');

/** Makes a sign-in link for the user with an e-mail address, for whom the operator vouches. Throws 404 for an unknown address. */
export async function issueSignInLink(
  store: Store,
  { email, baseUrl }: { email: string; baseUrl: string },
): Promise<string> {
  const user = await store.findOne(users, { emailLower: email.toLowerCase() }, { fields: ['emailLower'] });
  if (!user) throw notFound('User');
  const { address, link } = handedLink(user._id, baseUrl);
  await store.batch([link]);
  return address;
}

/** Deletes expired links, and the counts of earlier mails. */
export async function sweepSignIns(store: Store): Promise<void> {
  await store.deleteMany(signIns, { expiresAt: { $lte: timestamp() } });
  await store.deleteMany(mailCounts, { expiresAt: { $lte: timestamp() } });
  await store.deleteMany(signInMails, { lastAt: { $lte: timeIn(-hourMs) } });
}
