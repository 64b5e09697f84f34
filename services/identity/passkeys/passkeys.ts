import type { Caller } from '../../../shared/contract/caller.js';
import { conflict, forbidden, notFound } from '../../../shared/errors/errors.js';
import { again } from '../../../shared/store/again.js';
import { type HasStore, type Store, StoreConflict, StoreDuplicate, write } from '../../../shared/store/port.js';
import { newId, timestamp } from '../../../shared/values/ids.js';
import { type SessionDocument, sessions } from '../accounts/model.js';
import { isOfUser, nameBrowser, newSession, sessionWrites } from '../accounts/sessions.js';
import type { AskedPasskey, NewPasskeyAsked } from '../contract/passkeys.js';
import type { OpenedSession } from '../contract/sessions.js';
import { actingTokenId, actingUserId, checkUnscoped } from '../users/acting-user.js';
import { users } from '../users/model.js';
import { openChallenge, takeChallenge } from './challenges.js';
import { type PasskeyDocument, passkeys, presentPasskey } from './model.js';
import type { Passkey } from './resources.js';
import {
  askedMs,
  challengeIn,
  keyAlgorithms,
  loadPasskeyLibrary,
  parseAssertion,
  parseAttestation,
  passkeyRejected,
  relyingParty,
} from './webauthn.js';

type Dependencies = HasStore & { baseUrl: string };

const maxPasskeys = 20;
const limitReached = () => conflict(`A user has at most ${maxPasskeys} passkeys; remove one first`, 'limit_reached');

/** Finds the session that adds a passkey. Throws 403 where it ends with something else, or reaches less: a passkey would outlive that, and reach more. */
async function findAddingSession(store: Store, caller: Caller): Promise<SessionDocument> {
  const session = await store.get(sessions, actingTokenId(caller));
  if (!session || !isOfUser(session))
    throw forbidden('Sign in with a link or a passkey to add a passkey: an API token signed this browser in');
  return session;
}

/** Asks the browser of a user for a new passkey. Throws 403 after a sign-in by an API token or a single sign-on. */
export async function beginPasskey(
  { store, baseUrl }: Dependencies,
  { network }: { network: string },
  caller: Caller,
): Promise<NewPasskeyAsked> {
  checkUnscoped(caller);
  const { id: rpID } = relyingParty(baseUrl);
  const user = await store.get(users, actingUserId(caller));
  if (!user) throw notFound('User');
  await findAddingSession(store, caller);
  const held = await store.page(passkeys, { filter: { user: user._id }, sort: { createdAt: -1 }, limit: maxPasskeys });
  if (held.items.length >= maxPasskeys) throw limitReached();
  const challenge = await openChallenge(store, { purpose: 'addition', browser: actingTokenId(caller), network });
  const library = await loadPasskeyLibrary();
  const asked = await library.generateRegistrationOptions({
    rpName: 'Bindery',
    rpID,
    userID: new Uint8Array(Buffer.from(user._id)),
    userName: user.email,
    userDisplayName: user.displayName,
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    timeout: askedMs,
    attestationType: 'none',
    excludeCredentials: held.items.map(({ credential: id, transports }) => ({ id, transports })) as never,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: keyAlgorithms,
  });
  return asked as unknown as NewPasskeyAsked;
}

interface Addition {
  /** The answer of `navigator.credentials.create`, as JSON. */
  credential: unknown;
  /** Default: the browser, in words. */
  label?: string | undefined;
  agent: string;
}

/** Keeps the passkey that the browser of a user has made. Throws 400 or 403 for an answer that cannot be trusted, 409 at the limit. */
export async function addPasskey(
  { store, baseUrl }: Dependencies,
  { credential: answer, label = '', agent }: Addition,
  caller: Caller,
): Promise<Passkey> {
  checkUnscoped(caller);
  const made = await verifiedPasskey({ store, baseUrl }, answer, actingTokenId(caller));
  const user = actingUserId(caller);
  const name = label.trim().slice(0, maxLabel) || nameBrowser(agent).slice(0, maxLabel);
  const document = { ...made, _id: newId(), user, label: name, createdAt: timestamp() };
  try {
    await again(async () => {
      const { _id } = await findAddingSession(store, caller);
      const held = await store.count(passkeys, { user });
      if (held >= maxPasskeys) throw limitReached();
      await store.batch([
        write.check(sessions, { _id }, 1),
        write.check(passkeys, { user }, held),
        write.insert(passkeys, document),
      ]);
    });
  } catch (error) {
    if (error instanceof StoreDuplicate) throw passkeyRejected('it is kept already');
    throw error;
  }
  return presentPasskey(baseUrl, document);
}

const maxLabel = 50;

type Made = Pick<PasskeyDocument, 'credential' | 'publicKey' | 'counter' | 'transports'>;

async function verifiedPasskey({ store, baseUrl }: Dependencies, answer: unknown, browser: string): Promise<Made> {
  const response = parseAttestation(answer);
  const challenge = challengeIn(response.response);
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty(baseUrl);
  if (!(await takeChallenge(store, { challenge, purpose: 'addition', browser })))
    throw passkeyRejected('this browser was not asked for it within the last five minutes');
  const library = await loadPasskeyLibrary();
  try {
    // Nothing is asked of who made the authenticator: a statement about that could name addresses to look up.
    const statement = library.decodeAttestationObject(
      new Uint8Array(Buffer.from(response.response.attestationObject, 'base64url')),
    );
    const isPlain =
      statement.get('fmt') === 'none' || (statement.get('fmt') === 'packed' && !statement.get('attStmt').get('x5c'));
    if (!isPlain) throw new Error('it comes with an attestation');
    const { verified, registrationInfo } = await library.verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin,
      expectedRPID,
      supportedAlgorithmIDs: keyAlgorithms,
    });
    if (!verified || registrationInfo.credential.id !== response.id) throw new Error('its answer does not fit');
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
    return { credential: id, publicKey: Buffer.from(publicKey).toString('base64url'), counter, transports };
  } catch (error) {
    throw passkeyRejected(reasonOf(error));
  }
}

/** Asks a browser for any passkey of ours that it has: nobody is named. */
export async function challengePasskey(
  { store, baseUrl }: Dependencies,
  { browser, network }: { browser: string; network: string },
): Promise<AskedPasskey> {
  const { id: rpID } = relyingParty(baseUrl);
  const challenge = await openChallenge(store, { purpose: 'sign-in', browser, network });
  const library = await loadPasskeyLibrary();
  const asked = await library.generateAuthenticationOptions({
    rpID,
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    timeout: askedMs,
    userVerification: 'required',
  });
  return asked as unknown as AskedPasskey;
}

interface Use {
  /** The answer of `navigator.credentials.get`, as JSON. */
  credential: unknown;
  /** The secret of the browser. */
  browser: string;
  agent: string;
}

/** Signs a browser in with a passkey. Throws 400 for a malformed answer, and 403 for one that cannot be trusted. */
export async function openSessionByPasskey(
  { store, baseUrl }: Dependencies,
  { credential: answer, browser, agent }: Use,
): Promise<OpenedSession> {
  const response = parseAssertion(answer);
  const challenge = challengeIn(response.response);
  relyingParty(baseUrl);
  if (!(await takeChallenge(store, { challenge, purpose: 'sign-in', browser })))
    throw passkeyRejected('this browser was not asked for it within the last five minutes');
  const passkey = await store.findOne(passkeys, { credential: response.id });
  const handle = Buffer.from(response.response.userHandle, 'base64url').toString();
  if (!passkey || passkey.user !== handle) throw passkeyRejected('it is unknown here');
  const counter = await countOfUse({ baseUrl, passkey }, { response, challenge });
  const { document, opened } = newSession({ user: passkey.user, agent });
  const asRead = { _id: passkey._id, user: passkey.user, counter: passkey.counter };
  try {
    await store.batch([
      write.update(passkeys, asRead, { $set: { counter, lastUsedAt: timestamp() } }, { expect: 1 }),
      write.check(users, { _id: passkey.user }, 1),
      ...(await sessionWrites(store, document)),
    ]);
  } catch (error) {
    if (error instanceof StoreConflict) throw passkeyRejected('it was used or removed at the same moment; try again');
    throw error;
  }
  return opened;
}

/** Verifies the use of a passkey, and returns its count. One that counts no further was copied, and is refused. */
async function countOfUse(
  { baseUrl, passkey }: { baseUrl: string; passkey: PasskeyDocument },
  { response, challenge }: { response: ReturnType<typeof parseAssertion>; challenge: string },
): Promise<number> {
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty(baseUrl);
  const library = await loadPasskeyLibrary();
  try {
    const { verified, authenticationInfo } = await library.verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin,
      expectedRPID,
      credential: {
        id: passkey.credential,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
        counter: passkey.counter,
      },
      requireUserVerification: true,
    });
    if (!verified) throw new Error('its signature is not valid');
    return authenticationInfo.newCounter;
  } catch (error) {
    throw passkeyRejected(reasonOf(error));
  }
}

/** Texts of the library, and what they mean for the person. */
const reasons: [RegExp, string][] = [
  [/origin/i, 'it was asked for by another site'],
  [/RP ID/i, 'it belongs to another site'],
  [/verified|present/i, 'your device did not check that it is you'],
  [/counter/i, 'it may have been copied; remove it and add another one'],
];

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  return reasons.find(([sign]) => sign.test(message))?.[1] ?? 'its answer does not fit';
}
