import type { HasBlobs } from '../../../../shared/blobs/port.js';
import type { Audit } from '../../../../shared/contract/audit.js';
import { actingInstallation, type Caller } from '../../../../shared/contract/caller.js';
import type { BodyOf } from '../../../../shared/contract/operation.js';
import { apiError } from '../../../../shared/errors/errors.js';
import type { HasJobs } from '../../../../shared/jobs/jobs.js';
import type { HasOutbox } from '../../../../shared/jobs/outbox.js';
import type { HasOutbound } from '../../../../shared/outbound/client.js';
import { again } from '../../../../shared/store/again.js';
import { type HasStore, write } from '../../../../shared/store/port.js';
import type { HeldBytes } from '../../../../shared/work/held-bytes.js';
import type { HasTurns } from '../../../../shared/work/semaphore.js';
import type { HasTrees } from '../../core/access/tree/content-tree-cache.js';
import { changeRequestEventPayload, checkChangeable, planChange } from '../../core/change-requests/changes.js';
import { type ChangeRequestPath, findChangeRequest } from '../../core/change-requests/find.js';
import { type ChangeRequestDocument, contributionWrite } from '../../core/change-requests/model.js';
import { changeRequestUpdated } from '../../core/events.js';
import { type SpaceDocument, spaces } from '../../core/nodes/model.js';
import { carriedFields, commitRevision } from '../../core/revisions/commit.js';
import type { HasRevisions } from '../../core/revisions/revision-cache.js';
import { checkLive } from '../../core/spaces/live-space.js';
import { creatorId } from '../../core/spaces/new-space.js';
import type { HasLedger } from '../../core/storage/ledger.js';
import type { HasWork } from '../../format/workers/page-work.js';
import type { HasIndexer } from '../../reading/search/indexer.js';
import type { changeOperations } from '../contract/changes.js';
import { maxBatchMs } from './batch-work.js';
import { commitPrimary } from './commit-primary.js';
import { type InsertedFile, storeInsertedFiles } from './inserted-files.js';
import { type WrittenContent, writeContent } from './write-content.js';

type Body = BodyOf<typeof changeOperations.updateChangeRequestContent>;

/** Who changes content, with the audit of the operation. */
export interface Author {
  organization: string;
  caller: Caller;
  audit: Audit;
}

interface Writer {
  space: string;
  body: Body;
  author: Author;
}

/** Content that is read, changed and committed by one writer at a time. */
interface Attempt {
  /** Deadline to begin to commit, in epoch milliseconds: later, the writer gets an error and nothing is written. */
  until: number;
  sweeps: number;
  files: ReadonlyMap<number, InsertedFile[]>;
}

/** Changes the content of spaces and change requests for those who may edit them. */
export interface ContentWriter {
  /** Throws 404, and 400 for a change request that is closed. */
  writeChangeRequest(
    path: ChangeRequestPath,
    body: Body,
    author: Author,
  ): Promise<{ item: ChangeRequestDocument; written: WrittenContent }>;
  /** The id of the revision that the writer made, or that is as the writer wants it. Throws 404, and 400 for a space that is locked. */
  writeSpace(space: string, body: Body, author: Author): Promise<string>;
}

export function contentWriter(
  deps: HasStore &
    HasBlobs &
    HasOutbox &
    HasJobs &
    HasTrees &
    HasRevisions &
    HasWork &
    HasOutbound &
    HasLedger &
    HasIndexer &
    HasTurns & { baseUrl: string; fetchedFiles: HeldBytes; allowCidrs: readonly string[] },
): ContentWriter {
  const { store, turns, ledger } = deps;

  /** Writers of the same content take turns in this process, and try again when another process was faster. */
  const inTurn = async <T>(
    { space, body, author }: Writer,
    key: string,
    act: (attempt: Attempt) => Promise<T>,
  ): Promise<T> => {
    const owner = { organization: author.organization, space };
    await ledger.openUsage(owner);
    const until = Date.now() + maxBatchMs;
    const begin = async (): Promise<Attempt> => {
      const sweeps = await ledger.readSweeps(space);
      return { until, sweeps, files: await storeInsertedFiles(deps, owner, body.changes) };
    };
    let attempt = await begin();
    return turns.run(key, () =>
      again(
        async () => {
          if (Date.now() > attempt.until)
            throw apiError('UNAVAILABLE', 'Too many write here at once; try again later', 'busy');
          // A removal of unreached content may have taken the files that were stored for this writer.
          if ((await ledger.readSweeps(space)) !== attempt.sweeps) attempt = await begin();
          return act(attempt);
        },
        // Writers of other content of the space may store the same document first.
        { duplicates: true },
      ),
    );
  };

  return {
    async writeChangeRequest(path, body, author) {
      const { _id, ...found } = await findChangeRequest(store, path, { fields: ['status'] });
      checkChangeable(found);
      const writer = { space: path.spaceId, body, author };
      return inTurn(writer, `content ${_id}`, (attempt) => writeChangeRequest(deps, { ...writer, path, attempt }));
    },

    async writeSpace(space, body, author) {
      await liveSpace(deps, space);
      const writer = { space, body, author };
      return inTurn(writer, `content ${space}`, (attempt) => writeLive(deps, { ...writer, attempt }));
    },
  };
}

async function writeChangeRequest(
  deps: HasStore & HasBlobs & HasOutbox & HasTrees & HasRevisions & HasWork & HasLedger & { baseUrl: string },
  { path, body, author, attempt, space }: Writer & { path: ChangeRequestPath; attempt: Attempt },
): Promise<{ item: ChangeRequestDocument; written: WrittenContent }> {
  const { store, revisions, outbox } = deps;
  const { organization, caller, audit } = author;
  const before = await findChangeRequest(store, path);
  checkChangeable(before);
  const tip = await revisions.get(space, before.revision);
  const written = await writeContent(deps, {
    organization,
    caller,
    space,
    tip,
    base: before.base,
    changes: body.changes,
    seen: body.revision,
    ...attempt,
  });
  if (!written.content) return { item: before, written };
  const user = creatorId(caller);
  const contributors = [...new Set([...before.contributors, user])];
  let item = before;
  await commitRevision(deps, {
    organization,
    space,
    before: tip,
    content: written.content,
    sweeps: attempt.sweeps,
    fields: { ...carriedFields(tip), parents: [before.revision], type: 'edits', author: user },
    writes: ({ _id: revision }) => {
      const change = planChange(before, { revision, contributors });
      item = change.item;
      return [
        ...change.writes,
        contributionWrite({ space, changeRequest: before._id, user }),
        outbox.add(changeRequestUpdated, changeRequestEventPayload(item)),
        audit('change-request', before._id, { details: { revision } }),
      ];
    },
  });
  return { item, written };
}

/** Throws 404 for a space that is gone, 400 for one that is changed through change requests only. */
async function liveSpace({ store }: HasStore, id: string): Promise<SpaceDocument> {
  const space = await store.get(spaces, id);
  checkLive(space);
  return space;
}

/** The id of the revision that the writer made, or that is as the writer wants it. */
async function writeLive(
  deps: HasStore &
    HasBlobs &
    HasOutbox &
    HasJobs &
    HasTrees &
    HasRevisions &
    HasWork &
    HasLedger &
    HasIndexer & { baseUrl: string },
  { body, author, attempt, space: id }: Writer & { attempt: Attempt },
): Promise<string> {
  const space = await liveSpace(deps, id);
  const { organization, revision: from } = space;
  const { caller, audit } = author;
  const tip = await deps.revisions.get(id, from);
  const { content } = await writeContent(deps, {
    organization,
    caller,
    space: id,
    tip,
    base: tip.revision.parents[0] ?? from,
    changes: body.changes,
    seen: body.revision,
    ...attempt,
  });
  if (!content) return from;
  return commitPrimary(deps, {
    organization,
    space: id,
    primary: tip,
    before: tip,
    content,
    installation: actingInstallation(caller),
    sweeps: attempt.sweeps,
    fields: { ...carriedFields(tip), parents: [from], type: 'edits', author: creatorId(caller) },
    writes: (to) => [
      write.check(spaces, { _id: id, editMode: 'live' }, 1),
      audit('space', id, { details: { revision: to._id } }),
    ],
  });
}
