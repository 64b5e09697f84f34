import type { HasLinks } from '../../../../shared/blobs/links.js';
import type { HasBlobs } from '../../../../shared/blobs/port.js';
import { actingInstallation } from '../../../../shared/contract/caller.js';
import type { HandlersOf } from '../../../../shared/contract/service.js';
import { conflict, notFound } from '../../../../shared/errors/errors.js';
import type { HasJobs } from '../../../../shared/jobs/jobs.js';
import type { HasOutbox } from '../../../../shared/jobs/outbox.js';
import { listPage } from '../../../../shared/lists/paging.js';
import { again } from '../../../../shared/store/again.js';
import type { HasStore } from '../../../../shared/store/port.js';
import { omitUndefined } from '../../../../shared/values/omit-undefined.js';
import type { HasTurns } from '../../../../shared/work/semaphore.js';
import { eachInSlices } from '../../../../shared/work/slices.js';
import { openUserLookup } from '../../../identity/contract.js';
import { findChangeRequest } from '../../core/change-requests/find.js';
import { presentMergedFrom } from '../../core/change-requests/present.js';
import { spaces } from '../../core/nodes/model.js';
import { carriedFields } from '../../core/revisions/commit.js';
import { type RevisionDocument, revisions as revisionDocuments } from '../../core/revisions/model.js';
import type { HasRevisions } from '../../core/revisions/revision-cache.js';
import type { RevisionView } from '../../core/revisions/revision-view.js';
import { creatorId } from '../../core/spaces/new-space.js';
import type { HasLedger } from '../../core/storage/ledger.js';
import type { HasWork } from '../../format/workers/page-work.js';
import { withComputedPages } from '../../openapi/pages/computed-pages.js';
import type { HasContents } from '../../reading/pages/encoded-contents.js';
import { wholeContent } from '../../reading/pages/pages.js';
import type { HasIndexer } from '../../reading/search/indexer.js';
import { commitPrimary } from '../changes/commit-primary.js';
import type { historyOperations } from '../contract/history.js';
import type { HistoryItem, SemanticChange, SemanticChanges } from './resources.js';
import { semanticChanges } from './semantic-changes.js';
import { viewBefore } from './view-before.js';

export function historyHandlers(
  deps: HasStore &
    HasBlobs &
    HasLinks &
    HasOutbox &
    HasJobs &
    HasRevisions &
    HasContents &
    HasWork &
    HasLedger &
    HasIndexer &
    HasTurns & { baseUrl: string },
): HandlersOf<typeof historyOperations> {
  const { store, baseUrl, revisions, contents, turns, ledger } = deps;

  const compareViews = async (
    before: RevisionView,
    after: RevisionView,
    limit: number,
  ): Promise<Omit<SemanticChanges, 'mergedFrom'>> => {
    const changes: SemanticChange[] = [];
    let more = 0;
    await eachInSlices(semanticChanges({ presentation: deps, before, after }), (change) => {
      if (changes.length < limit) changes.push(change);
      else more += 1;
    });
    return more > 0 ? { changes, more } : { changes };
  };

  return {
    listRevisions({ path: { spaceId: space }, query }, { call, access: { organization } }) {
      const fields = [
        'type',
        'parents',
        'author',
        'subject',
        'mergedFrom',
        'git',
        'createdAt',
      ] satisfies (keyof RevisionDocument)[];
      const list = {
        filter: { space, primary: true } as const,
        sort: { createdAt: -1 } as const,
        request: query,
        fields,
      };
      return listPage(store, revisionDocuments, list, async (items) => {
        const authors = items.flatMap(({ author }) => (author === undefined ? [] : [author]));
        const userBy = await openUserLookup(call, organization, authors);
        return items.map((item): HistoryItem => {
          const { _id, type, parents, author, mergedFrom, createdAt } = item;
          const subject = item.subject ?? item.git?.message.split('\n', 1)[0];
          return omitUndefined({
            object: 'history-item',
            revision: _id,
            type,
            parents,
            author: author === undefined ? undefined : userBy(author),
            subject: subject || undefined,
            changeRequest: mergedFrom || undefined,
            createdAt,
            urls: { location: `${baseUrl}/v1/spaces/${space}/revisions/${_id}` },
          });
        });
      });
    },

    async restoreRevision({ path: { spaceId: id, revisionId } }, { caller, audit, access: { organization } }) {
      await ledger.openUsage({ organization, space: id });
      const restored = await turns.run(`content ${id}`, () =>
        again(async () => {
          const sweeps = await ledger.readSweeps(id);
          const [space, kept] = await Promise.all([
            store.get(spaces, id),
            store.get(revisionDocuments, revisionId, { fields: ['space'] }),
          ]);
          if (!space || space.deletedAt) throw notFound('Space');
          // A revision that was removed may still be in memory.
          if (!kept) throw notFound('Revision');
          const earlier = await revisions.get(id, revisionId);
          if (!earlier.revision.primary)
            throw conflict('This revision was never the content of the space', 'wrong_state');
          if (space.revision === revisionId)
            throw conflict('This revision is the content of the space already', 'wrong_state');
          const primary = await revisions.get(id, space.revision);
          // Pages of specifications are those of their latest versions.
          const computing = { organization, space: id, pages: earlier.pages, before: primary.pageById };
          const pages = await withComputedPages(deps, computing);
          return commitPrimary(deps, {
            organization,
            space: id,
            sweeps,
            primary,
            before: earlier,
            installation: actingInstallation(caller),
            content: pages === earlier.pages ? {} : { pages },
            fields: {
              ...carriedFields(earlier),
              parents: [space.revision],
              type: 'rollback',
              author: creatorId(caller),
              subject: `Restored the revision of ${minuteText(earlier.revision.createdAt)}`,
            },
            writes: (to) => [audit('space', id, { details: { revision: to._id, restored: revisionId } })],
          });
        }),
      );
      return contents.revision(await revisions.get(id, restored), wholeContent);
    },

    async getRevisionSemanticChanges({ path: { spaceId: space, revisionId }, query }, context) {
      const after = await revisions.get(space, revisionId);
      const before = await viewBefore(revisions, after);
      const merged = await presentMergedFrom(deps, after.revision, context);
      return { ...merged, ...(await compareViews(before, after, query.limit)) };
    },

    async getChangeRequestChanges({ path, query }) {
      const { space, base, revision } = await findChangeRequest(store, path);
      const [before, after] = [await revisions.get(space, base), await revisions.get(space, revision)];
      return compareViews(before, after, query.limit);
    },
  };
}

/** A time as people read it, to the minute: `2026-11-29 09:25 UTC`. */
const minuteText = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
