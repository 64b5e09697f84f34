import { z } from 'zod';
import type { HasBlobs } from '../../../../shared/blobs/port.js';
import { type ArchiveList, archiveList } from '../../../../shared/contract/archive.js';
import { timestampSchema } from '../../../../shared/contract/fields.js';
import { omitUndefined } from '../../../../shared/values/omit-undefined.js';
import { roleOrGuestSchema } from '../../../identity/resources.js';
import { type GrantDocument, grantId, grants, treeVersionWrite } from '../../core/access/model.js';
import { type CollectionDocument, collections } from '../../core/nodes/model.js';
import { defaultLevelSchema, languageSchema } from '../../core/nodes/resources.js';
import type { HasLedger } from '../../core/storage/ledger.js';
import {
  type GlossaryEntryDocument,
  glossaryEntries,
  type TranslationSettingsDocument,
  translationSettings,
} from '../../core/translations/model.js';
import { archivedId } from './archived-fields.js';
import { archivedFonts } from './fonts/archived-fonts.js';

const collectionLine = z.strictObject({
  id: archivedId,
  title: z.string().max(1000),
  description: z.string().max(1000).optional(),
  parent: archivedId.optional(),
  order: z.string().max(1000).optional(),
  defaultLevel: defaultLevelSchema,
  createdBy: archivedId,
  createdAt: timestampSchema,
  deletedAt: timestampSchema.optional(),
});

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

const restoreCollection = (
  { id: _id, order: orderKey, createdBy: creator, parent, ...line }: z.output<typeof collectionLine>,
  organization: string,
): CollectionDocument => omitUndefined({ ...line, _id, organization, parent: parent ?? null, orderKey, creator });

const grantLine = z
  .strictObject({
    space: archivedId.optional(),
    collection: archivedId.optional(),
    user: archivedId.optional(),
    team: archivedId.optional(),
    role: roleOrGuestSchema,
    createdAt: timestampSchema,
  })
  .refine(({ space, collection }) => (space === undefined) !== (collection === undefined), {
    error: 'must be on either a `space` or a `collection`',
  })
  .refine(({ user, team }) => (user === undefined) !== (team === undefined), {
    error: 'must be for either a `user` or a `team`',
  });

const describeGrant = ({ node, kind, principal, id, role, createdAt }: GrantDocument) => ({
  [kind]: node,
  [principal]: id,
  role,
  createdAt,
});

function restoreGrant(
  { space, collection, user, team, role, createdAt }: z.output<typeof grantLine>,
  organization: string,
): GrantDocument {
  const granted = {
    node: (space ?? collection) as string,
    principal: user === undefined ? ('team' as const) : ('user' as const),
    id: (user ?? team) as string,
  };
  const kind = space === undefined ? 'collection' : 'space';
  return { _id: grantId(granted), organization, ...granted, kind, role, createdAt };
}

const language = z.string().max(20);

const translationLine = z.strictObject({
  id: archivedId,
  title: z.string().max(1000),
  languages: z.array(languageSchema).max(100),
  source: z.strictObject({ space: archivedId, language: languageSchema }).optional(),
  instructions: z.string().max(100_000).optional(),
  spaces: z.record(language, archivedId).optional(),
  createdAt: timestampSchema,
  updatedAt: timestampSchema,
});

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

const restoreTranslation = (
  { id: _id, spaces, ...line }: z.output<typeof translationLine>,
  organization: string,
): TranslationSettingsDocument =>
  omitUndefined({
    ...line,
    _id,
    organization,
    ...(line.source ? { status: 'completed' as const } : {}),
    results: spaces && Object.fromEntries(Object.entries(spaces).map(([language, space]) => [language, { space }])),
  });

const termLine = z.strictObject({
  id: archivedId,
  translations: z.record(language, z.string().max(1000)),
  createdAt: timestampSchema,
  updatedAt: timestampSchema,
});

const describeTerm = ({ _id: id, translations, createdAt, updatedAt }: GlossaryEntryDocument) => ({
  id,
  translations,
  createdAt,
  updatedAt,
});

const treeWrites = (_: unknown, [first]: { organization: string }[]) =>
  first ? [treeVersionWrite(first.organization)] : [];

const collectionsFile = 'collections.ndjson';

/** Collections; also deleted ones that spaces still take their access from. */
const archivedCollections = archiveList({
  file: collectionsFile,
  collection: collections,
  describe: describeCollection,
  line: collectionLine,
  names: ({ parent }) => (parent === undefined ? [] : [{ field: 'parent', file: collectionsFile, id: parent }]),
  restore: (line, { organization }) => restoreCollection(line, organization),
  besides: treeWrites,
});

const archivedGrants = archiveList({
  file: 'grants.ndjson',
  collection: grants,
  describe: describeGrant,
  line: grantLine,
  restore: (line, { organization }) => restoreGrant(line, organization),
  besides: treeWrites,
});

const archivedTranslations = archiveList({
  file: 'translations.ndjson',
  collection: translationSettings,
  describe: describeTranslation,
  line: translationLine,
  restore: (line, { organization }) => restoreTranslation(line, organization),
});

const archivedGlossary = archiveList({
  file: 'glossary.ndjson',
  collection: glossaryEntries,
  describe: describeTerm,
  line: termLine,
  restore: ({ id: _id, ...line }, { organization }): GlossaryEntryDocument => ({ ...line, _id, organization }),
});

/** The files of an archive that list what an organization has in content, besides specifications and spaces. */
export const contentLists: readonly ArchiveList<HasBlobs & HasLedger>[] = [
  archivedCollections,
  archivedGrants,
  archivedTranslations,
  archivedGlossary,
  archivedFonts,
];
