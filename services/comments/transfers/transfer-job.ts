import type { HasCallAsSystem } from '../../../shared/contract/context.js';
import { failureOf } from '../../../shared/errors/errors.js';
import type { HasJobs, JobKind } from '../../../shared/jobs/jobs.js';
import {
  type Collection,
  eachDocument,
  type HasStore,
  type Store,
  type Write,
  write,
} from '../../../shared/store/port.js';
import { groupBy } from '../../../shared/values/group-by.js';
import { timeIn } from '../../../shared/values/ids.js';
import { contentContract } from '../../content/contract.js';
import { findPrincipals } from '../../identity/contract.js';
import { notices, reviewNotices } from '../digests/model.js';
import { notifications } from '../notifications/model.js';
import { commenters, commentUsages, places } from '../places/model.js';
import { textBytes } from '../places/places.js';
import { comments, replies } from '../texts/model.js';

interface Payload {
  space: string;
}

interface Transferred {
  space: string;
  /** The new organization. */
  organization: string;
}

interface Owned {
  _id: string;
  organization: string;
  space: string;
  bytes?: number;
}

/** Texts, whose bytes their organization counts. */
const counted = [comments, replies] as unknown as Collection<Owned>[];
const others = [places, commenters, notices, reviewNotices, notifications] as unknown as Collection<Owned>[];

const transferSpaceKind = 'transferSpace';
const atOnce = 500;
/** Requests that began before a space was transferred have ended by then; what they wrote for its former organization is found once more. */
const lateMs = 5 * 60_000;

/** The writes that take the comments of a space to its new organization: now, and what came late. */
export const transferLater = ({ jobs }: HasJobs, space: string, event: string): Write[] =>
  [{}, { runAt: timeIn(lateMs) }].map((when, at) =>
    jobs.enqueueOnce<Payload>(
      `transfer ${event} ${at}`,
      transferSpaceKind,
      { space },
      { orderKey: `transfer ${space}`, ...when },
    ),
  );

/** Takes the comments of a space, and what people were told of them, to the organization that it belongs to. Safe to run again from any point. */
export const transferSpaceTextsJob = ({ store, callAsSystem }: HasStore & HasCallAsSystem): JobKind<Payload> => ({
  kind: transferSpaceKind,
  attempts: 20,
  async run({ job, signal }) {
    const { space } = job.payload;
    const found = await callAsSystem()(contentContract.getSpaceById, { path: { spaceId: space } }).catch(nullIfGone);
    if (!found) return;
    const { organization } = found;
    for (const collection of [...counted, ...others])
      await transferOwned(store, { collection, space, organization }, signal);
    await markCommenters(store, { space, organization }, callAsSystem);
  },
});

function nullIfGone(error: unknown): null {
  if (failureOf(error).type === 'NOT_FOUND') return null;
  throw error;
}

interface Taking extends Transferred {
  collection: Collection<Owned>;
}

/** Takes along what still names another organization; what earlier releases left without one stays so. Texts take what they are counted by. */
async function transferOwned(
  store: Store,
  { collection, space, organization }: Taking,
  signal: AbortSignal,
): Promise<void> {
  let part: Owned[] = [];
  const take = async () => {
    signal.throwIfAborted();
    for (const [before, items] of groupBy(part, (item) => item.organization))
      await store.batch(takeWrites({ collection, space, organization }, before, items));
    part = [];
  };
  for await (const found of eachDocument(store, collection, { space }, ['organization', 'bytes'])) {
    if (found.organization !== undefined && found.organization !== organization) part.push(found);
    if (part.length === atOnce) await take();
  }
  await take();
}

function takeWrites({ collection, organization }: Taking, before: string, items: readonly Owned[]): Write[] {
  const ids = items.map(({ _id }) => _id);
  const taken = write.update(
    collection,
    { _id: { $in: ids }, organization: before },
    { $set: { organization } },
    { expect: ids.length },
  );
  if (!counted.includes(collection)) return [taken];
  const bytes = items.reduce((sum, item) => sum + (item.bytes ?? 0) + textBytes, 0);
  return [
    taken,
    write.upsert(commentUsages, { _id: before }, { $inc: { bytes: -bytes } }),
    write.upsert(commentUsages, { _id: organization }, { $inc: { bytes } }),
  ];
}

/** Commenters are those who are members of the new organization. */
async function markCommenters(
  store: Store,
  { space, organization }: Transferred,
  callAsSystem: HasCallAsSystem['callAsSystem'],
): Promise<void> {
  const users = new Set<string>();
  for await (const { user } of eachDocument(store, commenters, { space }, ['user'])) users.add(user);
  const all = [...users];
  for (let start = 0; start < all.length; start += atOnce) {
    const part = all.slice(start, start + atOnce);
    const { members } = await callAsSystem()(findPrincipals, { organization, users: part, teams: [] });
    const present = members.map(({ user }) => user);
    await store.batch([
      write.update(commenters, { space, user: { $in: part, $nin: present } }, { $set: { left: true } }),
      write.update(commenters, { space, user: { $in: present } }, { $unset: { left: true } }),
    ]);
  }
}
