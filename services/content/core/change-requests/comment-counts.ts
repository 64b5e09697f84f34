import { isDeepStrictEqual } from 'node:util';
import type { HasCallAsSystem } from '../../../../shared/contract/context.js';
import type { HasJobs, JobKind } from '../../../../shared/jobs/jobs.js';
import { type Collection, type HasStore, type Store, write } from '../../../../shared/store/port.js';
import { timestamp } from '../../../../shared/values/ids.js';
import { countOpenComments } from '../contract/comments.js';
import { spaces } from '../nodes/model.js';
import { changeRequests } from './model.js';

type Dependencies = HasStore & HasCallAsSystem;

/** A space or a change request. */
interface Commented {
  _id: string;
  openComments?: number;
}

/** Notes in spaces and change requests how many of their comments are open now. One that is gone needs no number. */
export async function noteOpenComments(
  { store, callAsSystem }: Dependencies,
  places: { space: string; changeRequest?: string | undefined }[],
): Promise<void> {
  const ids = new Map(places.map(({ space, changeRequest }) => [changeRequest ?? space, changeRequest !== undefined]));
  const count = () => callAsSystem()(countOpenComments, { places: [...ids.keys()] });
  const note = async (counts: Record<string, number>): Promise<void> => {
    const noting = [...ids].map(([_id, ofRequest]) => {
      const collection = (ofRequest ? changeRequests : spaces) as unknown as Collection<Commented>;
      return store.update(collection, { _id }, { $set: { openComments: counts[_id] ?? 0 } });
    });
    await Promise.all(noting);
  };
  let noted: Record<string, number> | undefined;
  let counts = await count();
  // Asked again after noting: another process may have asked later and noted sooner, and its number is overwritten now.
  while (!isDeepStrictEqual(noted, counts)) {
    await note(counts);
    noted = counts;
    counts = await count();
  }
}

const recountKind = 'recountComments';
const atOnce = 200;
/** By then, an upgrade that replaces one process after the other is over. */
const afterUpgradeMs = 10 * 60_000;

/**
 * Counts anew, once: documents of earlier releases hold no number, and while processes of one run beside, what changes in them is not
 * told.
 */
export function recountCommentsJob({ store, callAsSystem }: Dependencies): JobKind<object> {
  return {
    kind: recountKind,
    attempts: 20,
    async run({ signal }) {
      for (const collection of [spaces, changeRequests] as unknown as Collection<Commented>[])
        await recount(store, collection, (places) => callAsSystem()(countOpenComments, { places }), signal);
    },
  };
}

/** The write that has the numbers counted once, some time after the first start of this release. */
export const recountOnceWrite = ({ jobs }: HasJobs) =>
  jobs.enqueueOnce(recountKind, recountKind, {}, { runAt: timestamp(new Date(Date.now() + afterUpgradeMs)) });

async function recount(
  store: Store,
  collection: Collection<Commented>,
  count: (places: string[]) => Promise<Record<string, number>>,
  signal: AbortSignal,
): Promise<void> {
  for (let after: string | undefined; ; ) {
    signal.throwIfAborted();
    const filter = after === undefined ? {} : { _id: { $gt: after } };
    const { items } = await store.page(collection, { filter, sort: {}, limit: atOnce, fields: ['openComments'] });
    if (items.length === 0) return;
    const counts = await count(items.map(({ _id }) => _id));
    const outdated = items.filter(({ _id, openComments }) => openComments !== (counts[_id] ?? 0));
    // What was told meanwhile is newer.
    await store.batch(
      outdated.map(({ _id, openComments = null }) =>
        write.update(collection, { _id, openComments }, { $set: { openComments: counts[_id] ?? 0 } }),
      ),
    );
    after = items.at(-1)?._id;
  }
}
