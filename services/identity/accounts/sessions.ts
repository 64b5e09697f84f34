import Bowser from 'bowser';
import { invalidToken } from '../../../shared/errors/errors.js';
import { type HasStore, type Store, type Write, write } from '../../../shared/store/port.js';
import { newId, newSecret, sha256, timeIn, timestamp } from '../../../shared/values/ids.js';
import { omitUndefined } from '../../../shared/values/omit-undefined.js';
import type { FoundSession, OpenedSession } from '../contract/sessions.js';
import { presentOwnUser, users } from '../users/model.js';
import { callerOfDocument } from './callers.js';
import { apiTokens, type SessionDocument, sessions } from './model.js';

/** The first characters of every session secret, so that people and secret scanners recognize one. */
const prefix = 'bns_';
const dayMs = 24 * 3600_000;
const validMs = 30 * dayMs;
/** How often a use is written down. */
const usedEveryMs = 60_000;
/**
 * A user may be signed in in this many browsers; the one that was used longest ago is signed out. Those of an organization's single sign-on are counted
 * alone: its provider could end all others.
 */
const maxSessions = 100;
const maxAgentLength = 512;

interface NewSession {
  /** The id of its user. */
  user: string;
  /** The `User-Agent` of the browser. */
  agent: string;
  /** The one organization that it reaches. Default: all of its user. */
  scope?: string | undefined;
  provider?: string | undefined;
  /** When it ends however often it is used: ISO 8601. Default: never. */
  endsAt?: string | undefined;
  ancestors?: string[] | undefined;
}

/** Makes the document of a session that is not stored yet, and its secret, which is stored nowhere. */
export function newSession({ user, agent, scope, provider, endsAt, ancestors }: NewSession): {
  document: SessionDocument;
  opened: OpenedSession;
} {
  const secret = prefix + newSecret();
  const now = timestamp();
  const expiresAt = earlierOf(timeIn(validMs), endsAt);
  const document: SessionDocument = omitUndefined({
    _id: newId(),
    user,
    scope,
    provider,
    ancestors,
    hash: sha256(secret),
    browser: nameBrowser(agent),
    createdAt: now,
    lastUsedAt: now,
    expiresAt,
    endsAt,
  });
  return { document, opened: { secret, expiresAt, ...(scope === undefined ? {} : { organization: scope }) } };
}

const earlierOf = (time: string, end: string | undefined): string => (end !== undefined && end < time ? end : time);

/** Names the browser of a `User-Agent`, in words: `Firefox on Linux`. */
export function nameBrowser(agent: string): string {
  const { browser, os } = Bowser.parse(agent.slice(0, maxAgentLength) || 'unknown');
  if (!browser.name) return 'A browser';
  return (os.name ? `${browser.name} on ${os.name}` : browser.name).slice(0, 100);
}

/** Finds the session of a secret with its caller and user; null where it has ended. Its use prolongs it. */
export async function findSession(
  deps: HasStore & { baseUrl: string },
  { hash }: { hash: string },
): Promise<FoundSession | null> {
  const { store, baseUrl } = deps;
  const session = await store.findOne(sessions, { hash });
  if (!session) return null;
  const [found, user] = await Promise.all([callerOfDocument(deps, session), store.get(users, session.user)]);
  if (!found || !user) return null;
  return {
    caller: found.caller,
    id: session._id,
    ...noteUse(store, session),
    mayAddPasskeys: isOfUser(session),
    user: presentOwnUser(baseUrl, user),
  };
}

/**
 * Whether a session may add what outlives it and reaches all that its user does. One by an API token ends with the token, and one by a single sign-on
 * reaches one organization.
 */
export const isOfUser = ({
  scope,
  ancestors,
  endsAt,
}: Pick<SessionDocument, 'scope' | 'ancestors' | 'endsAt'>): boolean =>
  scope === undefined && ancestors === undefined && endsAt === undefined;

/**
 * Notes a use now and then, and tells when the session ends. Nobody waits for the note: with a store that is busy or full, reading goes on, and the next
 * use is noted.
 */
function noteUse(
  store: Store,
  { _id, lastUsedAt, expiresAt: end, endsAt }: SessionDocument,
): Pick<FoundSession, 'expiresAt' | 'isProlonged'> {
  if (Date.now() - Date.parse(lastUsedAt) < usedEveryMs) return { expiresAt: end, isProlonged: false };
  const expiresAt = earlierOf(timeIn(validMs), endsAt);
  store.update(sessions, { _id }, { $set: { lastUsedAt: timestamp(), expiresAt } }).catch(() => {});
  return { expiresAt, isProlonged: true };
}

/** Returns the writes that store a session: beyond the most that a user may have, the one used longest ago ends. */
export async function sessionWrites(store: Store, document: SessionDocument): Promise<Write[]> {
  const { user, scope = { $exists: false } } = document;
  const held = await store.page(sessions, { filter: { user, scope }, sort: { createdAt: -1 }, limit: 1000 });
  const surplus = held.items
    .sort((a, b) => (a.lastUsedAt < b.lastUsedAt ? 1 : -1))
    .slice(maxSessions - 1)
    .map(({ _id }) => write.delete(sessions, { _id }));
  return [...surplus, write.insert(sessions, document)];
}

/**
 * Signs a browser in with an API token: the session reaches as far as the token, and ends with it. Throws 401 for a token that is unknown, revoked
 * or expired.
 */
export async function openSessionByToken(
  { store }: HasStore,
  { token: secret, agent }: { token: string; agent: string },
): Promise<OpenedSession> {
  const token = await store.findOne(apiTokens, { hash: sha256(secret) });
  if (!token || (token.expiresAt !== undefined && token.expiresAt <= timestamp())) throw invalidToken();
  const { _id, user, scope, provider, expiresAt: endsAt, ancestors = [] } = token;
  const { document, opened } = newSession({ user, agent, scope, provider, endsAt, ancestors: [_id, ...ancestors] });
  await store.batch([write.check(apiTokens, { _id }, 1), ...(await sessionWrites(store, document))]);
  return opened;
}

/** Deletes sessions that have ended. */
export async function sweepEndedSessions(store: Store): Promise<void> {
  await store.deleteMany(sessions, { expiresAt: { $lte: timestamp() } });
}
