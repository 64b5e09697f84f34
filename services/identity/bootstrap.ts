import type { ServiceBroker } from 'moleculer';
import { callAsSystem } from '../../shared/contract/service.js';
import { newId, sha256, timestamp } from '../../shared/ids.js';
import type { Config } from '../../shared/settings/config.js';
import { type Store, StoreConflict, StoreDuplicate, write } from '../../shared/store/port.js';
import type { JobKind, Jobs } from '../../shared/work/jobs.js';
import { importHandbook } from '../content/contract.js';
import { type BootstrapDocument, bootstraps, tokens, users } from './model.js';
import { newOrganization } from './organizations.js';
import { newToken } from './tokens.js';
import { newUser } from './users.js';

const label = 'First start';
const handbookImport = 'handbookImport';
const bootstrap = { _id: 'bootstrap' } as const;

/** What the first start made, for the one who started it. */
export interface FirstStart {
  organization: string;
  /** Null when `BOOTSTRAP_TOKEN` chose it. */
  token: string | null;
  /** The space of the handbook. */
  space: string;
}

/** Idempotent, from many processes at once. A changed `BOOTSTRAP_TOKEN` adds that token; the same one changes nothing. */
export async function bootstrapIdentity(store: Store, jobs: Jobs, config: Config): Promise<void> {
  const done = await store.get(bootstraps, 'bootstrap');
  if (done) return adoptToken(store, config, done);
  await makeFirst(store, jobs, config).catch((error) => {
    if (!(error instanceof StoreDuplicate)) throw error;
  });
}

async function adoptToken(
  store: Store,
  { BOOTSTRAP_TOKEN: secret }: Config,
  { user, tokenHash }: BootstrapDocument,
): Promise<void> {
  if (!secret || sha256(secret) === tokenHash) return;
  const known = tokenHash ?? null;
  const { document } = newToken(user, { label }, secret);
  await store.batch([
    write.update(bootstraps, { ...bootstrap, tokenHash: known }, { $set: { tokenHash: document.hash } }, { expect: 1 }),
    write.upsert(tokens, { hash: document.hash }, { $setOnInsert: document }),
  ]);
}

/** The user, its organization and the handbook. A token that nobody chose is made when it is told: it is kept nowhere. */
async function makeFirst(store: Store, jobs: Jobs, config: Config): Promise<void> {
  const user = newUser(config.BOOTSTRAP_EMAIL);
  const { organization, writes } = newOrganization(user, {
    title: config.BOOTSTRAP_ORG,
    emailDomains: [],
    type: 'business',
  });
  const chosen = config.BOOTSTRAP_TOKEN && newToken(user._id, { label }, config.BOOTSTRAP_TOKEN).document;
  const handbook: HandbookPayload = { organization: organization._id, creator: user._id, space: newId() };
  await store.batch([
    write.insert(bootstraps, {
      ...bootstrap,
      user: user._id,
      organization: organization._id,
      space: handbook.space,
      ...(chosen ? { tokenHash: chosen.hash } : {}),
    }),
    write.insert(users, user),
    ...(chosen ? [write.insert(tokens, chosen)] : []),
    ...writes,
    jobs.enqueue(handbookImport, handbook),
  ]);
}

interface HandbookPayload {
  organization: string;
  creator: string;
  space: string;
}

const contentWaitMs = 30_000;
const importMs = 60_000;

/** Brings the handbook into its space, whenever the content service comes up. */
export function handbookJob(store: Store, broker: ServiceBroker): JobKind<HandbookPayload> {
  return {
    kind: handbookImport,
    attempts: Number.POSITIVE_INFINITY,
    backoff: () => 2_000,
    async run({ job, signal }) {
      await serviceUp(broker, 'content', signal);
      await callAsSystem(broker, importMs)(importHandbook, job.payload);
      await store.update(bootstraps, bootstrap, { $set: { handbook: true } });
    },
  };
}

async function serviceUp(broker: ServiceBroker, name: string, signal: AbortSignal): Promise<void> {
  const stopped = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  await Promise.race([broker.waitForServices(name, contentWaitMs, 100), stopped]);
}

/** Longer than a process takes from its claim to its words. */
const claimMs = 60_000;

/** Whether somebody still has to be told of the first start, and if so, whether the handbook is there. */
export async function untold(store: Store): Promise<{ handbook: boolean } | null> {
  const done = await store.get(bootstraps, 'bootstrap');
  return done && !done.told ? { handbook: done.handbook === true } : null;
}

/**
 * The right to tell the first start, for one process at a time; null while another has it. The token is made now: where a process
 * died before it could tell, nobody knows the token that it made.
 */
export async function claimTelling(store: Store, config: Config, exclusive: boolean): Promise<FirstStart | null> {
  const now = timestamp();
  const done = await store.get(bootstraps, 'bootstrap');
  if (!done || done.told) return null;
  const { user, organization, space, claimedUntil = null } = done;
  if (claimedUntil !== null && claimedUntil > now && !exclusive) return null;
  const until = timestamp(new Date(Date.now() + claimMs));
  const made = config.BOOTSTRAP_TOKEN ? null : newToken(user, { label });
  const claim = { ...bootstrap, told: null, claimedUntil };
  try {
    await store.batch([
      write.update(bootstraps, claim, { $set: { claimedUntil: until } }, { expect: 1 }),
      ...(made ? [write.insert(tokens, made.document)] : []),
    ]);
  } catch (error) {
    if (error instanceof StoreConflict) return null;
    throw error;
  }
  return { organization, space, token: made?.secret ?? null };
}

export async function noteTold(store: Store): Promise<void> {
  await store.update(bootstraps, bootstrap, { $set: { told: true } });
}
