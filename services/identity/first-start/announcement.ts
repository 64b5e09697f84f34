import { timestamp } from '../../../shared/ids.js';
import type { Platform } from '../../../shared/platform.js';
import { scaled } from '../../../shared/settings/time-scale.js';
import { type Store, StoreConflict, write } from '../../../shared/store/port.js';
import { newApiToken } from '../accounts/api-tokens.js';
import { apiTokens } from '../accounts/model.js';
import { firstStarts, tokenLabel as label, theFirstStart } from './model.js';

/** What the first start created. */
export interface FirstStart {
  organization: string;
  /** Null where `BOOTSTRAP_TOKEN` sets it. */
  token: string | null;
  /** The id of the handbook's space. */
  space: string;
}

/** The time from a claim to the announcement is shorter than this. */
const claimMs = scaled(60_000);

/** Returns null once the first start was announced, else whether the handbook is imported. */
export async function pendingAnnouncement(store: Store): Promise<{ handbook: boolean } | null> {
  const done = await store.get(firstStarts, theFirstStart._id);
  return done && !done.told ? { handbook: done.handbook === true } : null;
}

/**
 * Claims the announcement of the first start for this process; null while another process holds it. Each claim makes a new
 * token: nobody knows the token of a process that died before its announcement.
 */
export async function claimAnnouncement({
  store,
  config,
  exclusive,
}: Pick<Platform, 'store' | 'config' | 'exclusive'>): Promise<FirstStart | null> {
  const now = timestamp();
  const done = await store.get(firstStarts, theFirstStart._id);
  if (!done || done.told) return null;
  const { user, organization, space, claimedUntil = null } = done;
  if (claimedUntil !== null && claimedUntil > now && !exclusive) return null;
  const until = timestamp(new Date(Date.now() + claimMs));
  const made = config.BOOTSTRAP_TOKEN ? null : newApiToken({ user, label });
  const claim = { ...theFirstStart, told: null, claimedUntil };
  try {
    await store.batch([
      write.update(firstStarts, claim, { $set: { claimedUntil: until } }, { expect: 1 }),
      ...(made ? [write.insert(apiTokens, made.document)] : []),
    ]);
  } catch (error) {
    if (error instanceof StoreConflict) return null;
    throw error;
  }
  return { organization, space, token: made?.secret ?? null };
}

/** Records that the first start was announced. */
export async function recordAnnouncement(store: Store): Promise<void> {
  await store.update(firstStarts, theFirstStart, { $set: { told: true } });
}
