import type { HasBlobs } from '../../../../shared/blobs/port.js';
import type { HasCallAsSystem } from '../../../../shared/contract/context.js';
import type { HasSecrets } from '../../../../shared/secrets/secrets.js';
import { eachDocument, type HasStore } from '../../../../shared/store/port.js';
import { omitUndefined } from '../../../../shared/values/omit-undefined.js';
import { type GrantDocument, grants } from '../../core/access/model.js';
import { type CollectionDocument, collections, spaces } from '../../core/nodes/model.js';
import type { HasRevisions } from '../../core/revisions/revision-cache.js';
import {
  glossaryEntries,
  type TranslationSettingsDocument,
  translationSettings,
} from '../../core/translations/model.js';
import type { HasWork } from '../../format/workers/page-work.js';
import { toJson, toLines } from './lines.js';
import { serviceEntries } from './service-entries.js';
import { spaceEntries } from './space-entries.js';
import { specificationEntries } from './specification-entries.js';
import type { ArchiveEntry } from './zip-stream.js';

type Dependencies = HasStore & HasBlobs & HasCallAsSystem & HasRevisions & HasSecrets & HasWork;

/** The version of the format: a reader refuses one that it does not know. */
const formatVersion = 1;

interface Archived {
  organization: string;
  /** Called when the spaces are counted, and after each. */
  onSpaces: (exported: number, total: number) => Promise<void>;
}

/** The files of an archive, always in the same order. Spaces in the trash are left out. */
export async function* archiveEntries(
  deps: Dependencies,
  { organization, onSpaces }: Archived,
): AsyncGenerator<ArchiveEntry> {
  const { store } = deps;
  const ids: string[] = [];
  for await (const { _id } of eachDocument(store, spaces, { organization, deletedAt: null }, [])) ids.push(_id);
  await onSpaces(0, ids.length);
  yield { path: 'bindery.json', content: toJson({ format: 'bindery-archive', version: formatVersion, organization }) };
  yield* serviceEntries(deps.callAsSystem(), organization);
  yield { path: 'collections.ndjson', content: toLines(eachCollection(store, organization)) };
  yield { path: 'grants.ndjson', content: toLines(eachGrant(store, organization, new Set(ids))) };
  yield { path: 'translations.ndjson', content: toLines(eachTranslation(store, organization)) };
  yield { path: 'glossary.ndjson', content: toLines(eachTerm(store, organization)) };
  yield* specificationEntries(deps, organization);
  for (const [at, id] of ids.entries()) {
    const space = await store.get(spaces, id);
    if (space && !space.deletedAt) yield* spaceEntries(deps, space);
    await onSpaces(at + 1, ids.length);
  }
}

/** Also deleted ones that spaces still take their access from. */
async function* eachCollection(store: HasStore['store'], organization: string) {
  for await (const collection of eachDocument(store, collections, { organization }))
    yield describeCollection(collection);
}

const describeCollection = ({ _id: id, creator: createdBy, ...collection }: CollectionDocument) =>
  omitUndefined({
    id,
    title: collection.title,
    description: collection.description,
    parent: collection.parent ?? undefined,
    order: collection.orderKey,
    defaultLevel: collection.defaultLevel,
    createdBy,
    createdAt: collection.createdAt,
    deletedAt: collection.deletedAt,
  });

async function* eachTranslation(store: HasStore['store'], organization: string) {
  for await (const settings of eachDocument(store, translationSettings, { organization }))
    yield describeTranslation(settings);
}

/** With the spaces that hold the translations. How far a run is would say nothing elsewhere. */
const describeTranslation = ({ _id: id, results, ...settings }: TranslationSettingsDocument) =>
  omitUndefined({
    id,
    title: settings.title,
    languages: settings.languages,
    source: settings.source,
    instructions: settings.instructions,
    spaces: results && Object.fromEntries(Object.entries(results).map(([language, { space }]) => [language, space])),
    createdAt: settings.createdAt,
    updatedAt: settings.updatedAt,
  });

async function* eachTerm(store: HasStore['store'], organization: string) {
  for await (const { _id: id, translations, createdAt, updatedAt } of eachDocument(store, glossaryEntries, {
    organization,
  }))
    yield { id, translations, createdAt, updatedAt };
}

async function* eachGrant(store: HasStore['store'], organization: string, spaceIds: ReadonlySet<string>) {
  for await (const grant of eachDocument(store, grants, { organization }))
    if (grant.kind === 'collection' || spaceIds.has(grant.node)) yield describeGrant(grant);
}

const describeGrant = ({ node, kind, principal, id, role, createdAt }: GrantDocument) => ({
  [kind]: node,
  [principal]: id,
  role,
  createdAt,
});
