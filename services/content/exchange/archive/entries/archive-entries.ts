import type { HasBlobs } from '../../../../../shared/blobs/port.js';
import type { ArchiveList } from '../../../../../shared/contract/archive.js';
import type { HasCallAsSystem } from '../../../../../shared/contract/context.js';
import type { HasSecrets } from '../../../../../shared/secrets/secrets.js';
import { type Cursor, eachDocument, type HasStore } from '../../../../../shared/store/port.js';
import type { ArchiveEntry } from '../../../../../shared/zip/zip-stream.js';
import { spaces } from '../../../core/nodes/model.js';
import type { HasRevisions } from '../../../core/revisions/revision-cache.js';
import type { HasWork } from '../../../format/workers/page-work.js';
import { contentLists } from '../archived.js';
import { toJson } from '../lines.js';
import { listEntries } from './list-entries.js';
import { serviceEntries } from './service-entries.js';
import { spaceEntries } from './space-entries.js';
import { specificationEntries } from './specification-entries.js';

type Dependencies = HasStore &
  HasBlobs &
  HasCallAsSystem &
  HasRevisions &
  HasSecrets &
  HasWork & { scratchDir: string };

/** The version of the format: a reader refuses one that it does not know. */
export const formatVersion = 1;

interface Archived {
  organization: string;
  /** Called when the spaces are counted, and after each. */
  onSpaces: (exported: number, total: number) => Promise<void>;
  signal: AbortSignal;
}

/** The files of an archive, always in the same order. Spaces in the trash are left out. */
export async function* archiveEntries(
  deps: Dependencies,
  { organization, onSpaces, signal }: Archived,
): AsyncGenerator<ArchiveEntry> {
  const { store } = deps;
  const ids: string[] = [];
  for await (const { _id } of eachDocument(store, spaces, { organization, deletedAt: null }, [])) ids.push(_id);
  await onSpaces(0, ids.length);
  const kept = new Set(ids);
  yield { path: 'bindery.json', content: toJson({ format: 'bindery-archive', version: formatVersion, organization }) };
  const written = new Set<string>();
  const names = new Map<string, string>();
  yield* serviceEntries(deps, { organization, kept, written, names });
  for (const list of contentLists)
    yield* listEntries(deps, { file: list.file, parts: eachPart(deps, list, organization), kept, written });
  yield* specificationEntries(deps, organization);
  for (const [at, id] of ids.entries()) {
    const space = await store.get(spaces, id);
    if (space && !space.deletedAt) yield* spaceEntries(deps, space, { names, signal });
    await onSpaces(at + 1, ids.length);
  }
}

/** The parts of a list. */
async function* eachPart(deps: HasStore, list: ArchiveList, organization: string) {
  for (let after: Cursor | undefined, more = true; more; more = after !== undefined) {
    const part = await list.read(deps, organization, after);
    yield part;
    after = part.after;
  }
}
