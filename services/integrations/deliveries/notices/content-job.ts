import type { JobKind, Jobs } from '../../../../shared/jobs/jobs.js';
import { contentContract } from '../../../content/contract.js';
import type { QueueDependencies } from '../queue/queue.js';
import { Audience, type Notice, type NoticeDependencies, notifyIntegrations } from './notify.js';

export interface ContentChange {
  organization: string;
  space: string;
  /** The new content. */
  revision: string;
  /** The installation that made it; absent for people. */
  installation?: string | undefined;
}

interface TellContentPayload extends ContentChange {
  /** The id of the domain event. */
  id: string;
}

const tellContentKind = 'tellContent';
const scope = 'space:content:read';
/** Maximum number of pages of one change that get an event each. */
const maxPages = 100;

const changedPlace = ({ organization, space: target }: ContentChange) =>
  ({ organization, kind: 'space', target, scope }) as const;

/** Queues the notification of integrations about new content of spaces, where any want to know. */
export async function queueContentNotices(
  deps: QueueDependencies & { jobs: Jobs },
  changes: readonly ContentChange[],
  ids: readonly string[],
): Promise<void> {
  const audience = new Audience(deps);
  const writes = [];
  for (const [at, { organization, space, revision, installation }] of changes.entries()) {
    const change = { organization, space, revision, ...(installation === undefined ? {} : { installation }) };
    const wanted = [
      ...(await audience.findReceivers({ ...changedPlace(change), type: 'space_content_updated' })),
      ...(await audience.findReceivers({ ...changedPlace(change), type: 'page_updated' })),
    ];
    if (wanted.length === 0) continue;
    const id = ids[at] as string;
    const order = { orderKey: `content ${space}`, share: organization };
    writes.push(deps.jobs.enqueueOnce<TellContentPayload>(`content ${id}`, tellContentKind, { ...change, id }, order));
  }
  if (writes.length === 0) return;
  await deps.store.batch(writes);
}

/** Notifies integrations that a space has new content, then which pages that changed. What changed may take long to find. */
export const tellContentJob = (deps: NoticeDependencies): JobKind<TellContentPayload> => ({
  kind: tellContentKind,
  attempts: 20,
  async run({ job: { payload } }) {
    const { id, revision } = payload;
    const pages = await changedPages(deps, payload);
    const notice = { ...changedPlace(payload), id, by: payload.installation };
    await notifyIntegrations(deps, [
      {
        ...notice,
        type: 'space_content_updated',
        data: { revisionId: revision, ...(pages === null ? { truncated: true } : {}) },
      },
      ...(pages ?? []).map((page, at): Notice => ({ ...notice, ...page, id: `${id}-${at}` })),
    ]);
  },
});

const typeOf = {
  page_created: 'page_created',
  page_edited: 'page_updated',
  page_moved: 'page_moved',
  page_deleted: 'page_deleted',
} as const;

/** An event for each changed page; empty if nobody wants them, null if there are too many or they cannot be found. */
async function changedPages(
  deps: NoticeDependencies,
  change: ContentChange,
): Promise<Pick<Notice, 'type' | 'data'>[] | null> {
  const { space, revision } = change;
  const wanted = await new Audience(deps).findReceivers({ ...changedPlace(change), type: 'page_updated' });
  if (wanted.length === 0) return [];
  try {
    // Changes of pages come before all others.
    const { changes } = await deps.callAsSystem()(contentContract.getRevisionSemanticChanges, {
      path: { spaceId: space, revisionId: revision },
      query: { limit: maxPages + 1 },
    });
    const pages = changes.flatMap((each) => {
      if (!('page' in each)) return [];
      const { id, title, path } = each.page;
      const data = { revisionId: revision, pageId: id, title, ...(path === undefined ? {} : { path }) };
      return [{ type: typeOf[each.type], data }];
    });
    return pages.length > maxPages ? null : pages;
  } catch (err) {
    deps.log.warn({ err, space, revision }, 'integrations are not told which pages changed');
    return null;
  }
}
