import { z } from 'zod';
import { type ArchiveName, archiveList, type ReadPage } from '../../../shared/contract/archive.js';
import type { Call } from '../../../shared/contract/context.js';
import { omitUndefined } from '../../../shared/values/omit-undefined.js';
import { presentSpaces } from '../../content/contract.js';
import {
  fromStored,
  type SiteSpaceDocument,
  type StructureDocument,
  siteSpaces,
  structures,
  toStored,
} from '../structure/model.js';
import { pathKey } from '../structure/paths.js';
import { removeSiteSpace } from '../structure/rules.js';
import { groupsOf, linksOf, type Structure, sectionsOf, siteSpacesOf, spacesOf } from '../structure/structure.js';
import { blobsOfLine, filesOfLine, type HasSiteFiles, withAddresses, withFileNames } from './archived-files.js';
import { archivedId, siteSpaceLine } from './archived-lines.js';
import { readBySite } from './read-by-site.js';

/** Calls other services while an archive is made or taken. */
export type HasArchiveCall = { callAsSystem: (timeout: number) => Call };

/** A call for the archive: its question may read the spaces of many sites. */
export const archiveCallMs = 60_000;

const segment = z
  .string()
  .max(200)
  .regex(/^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]*$/u, 'must be a segment of a path');
const siteSpaceListSchema = z.strictObject({
  items: z.array(z.strictObject({ id: archivedId, space: archivedId, path: segment })),
  default: archivedId.nullable(),
});
const sectionSchema = z.strictObject({ id: archivedId, path: segment, siteSpaces: siteSpaceListSchema });
const linkSchema = z.strictObject({ id: archivedId, isLink: z.literal(true) });
const groupSchema = z.strictObject({ id: archivedId, children: z.array(z.union([sectionSchema, linkSchema])) });

const structureSchema: z.ZodType<Structure> = z
  .strictObject({
    siteSpaces: siteSpaceListSchema,
    entries: z.array(z.union([sectionSchema, groupSchema, linkSchema])),
    defaultSection: archivedId.nullable(),
  })
  .superRefine((structure, context) => {
    const message = problemOf(structure);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });

/** Says which rule of structures one does not keep. */
function problemOf(structure: Structure): string | undefined {
  const sections = sectionsOf(structure);
  const placed = siteSpacesOf(structure).map(({ siteSpace }) => siteSpace);
  const ids = [...sections, ...placed, ...groupsOf(structure), ...linksOf(structure)].map(({ id }) => id);
  if (new Set(ids).size < ids.length) return 'must have each part once';
  const lists = [structure.siteSpaces, ...sections.map((section) => section.siteSpaces)];
  const levels = [...lists, { items: sections, default: structure.defaultSection }];
  for (const { items, default: chosen } of levels) {
    if (new Set(items.map(({ path }) => pathKey(path))).size < items.length)
      return 'must have each path once on a level';
    if (chosen !== null && !items.some(({ id }) => id === chosen)) return 'must have the default of a level on it';
  }
  return undefined;
}

const structureLine = z.strictObject({
  site: archivedId,
  structure: structureSchema,
  former: z
    .array(z.strictObject({ in: archivedId.nullable(), path: z.string().max(300), id: archivedId }))
    .max(1000)
    .optional(),
});

const describeStructure = ({ _id: site, former, ...stored }: StructureDocument) =>
  omitUndefined({ site, structure: fromStored(stored), former: former?.length ? former : undefined });

const restoreStructure = (
  { site: _id, structure, former }: z.output<typeof structureLine>,
  organization: string,
): StructureDocument =>
  omitUndefined({ _id, organization, version: 1, ...toStored(structure), spaces: spacesOf(structure), former });

export const sitesFile = 'sites/sites.ndjson';
export const sectionsFile = 'sites/sections.ndjson';
export const groupsFile = 'sites/section-groups.ndjson';
export const linksFile = 'sites/external-links.ndjson';
const siteSpacesFile = 'sites/site-spaces.ndjson';

/** The name that the line of something of a site has for the site. */
export const nameSite = ({ site: id }: { site: string }): ArchiveName[] => [{ field: 'site', file: sitesFile, id }];

/** The id by which a structure names a part: with the site, as a part is on no other. */
export const partName = ({ site, id }: { site: string; id: string }): string => `${site}/${id}`;

function namesOfStructure({ site, structure }: z.output<typeof structureLine>): ArchiveName[] {
  const named = (file: string, ids: string[]) => ids.map((id) => ({ field: 'structure', file, id }));
  const partsIn = (file: string, parts: { id: string }[]) =>
    named(
      file,
      parts.map(({ id }) => partName({ site, id })),
    );
  return [
    ...nameSite({ site }),
    ...named('spaces', spacesOf(structure)),
    ...partsIn(
      siteSpacesFile,
      siteSpacesOf(structure).map(({ siteSpace }) => siteSpace),
    ),
    ...partsIn(sectionsFile, sectionsOf(structure)),
    ...partsIn(groupsFile, groupsOf(structure)),
    ...partsIn(linksFile, linksOf(structure)),
  ];
}

/** The structures without site spaces whose space is in the trash: no archive has that. */
async function withoutDeletedSpaces(
  { callAsSystem }: HasArchiveCall,
  organization: string,
  found: StructureDocument[],
): Promise<StructureDocument[]> {
  const ids = [...new Set(found.flatMap(({ spaces }) => spaces))];
  if (ids.length === 0) return found;
  const spaces = await callAsSystem(archiveCallMs)(presentSpaces, { organization, ids });
  const kept = new Set(spaces.flatMap((space) => (space && !space.deletedAt ? [space.id] : [])));
  return found.map((document) => {
    const structure = fromStored(document);
    for (const { siteSpace } of siteSpacesOf(structure))
      if (!kept.has(siteSpace.space)) removeSiteSpace(structure, siteSpace.id);
    const parts = new Set([...sectionsOf(structure).map(({ id }) => id), ...siteSpaceIds(structure)]);
    const former = document.former?.filter(({ id }) => parts.has(id));
    return { ...document, ...toStored(structure), ...(former ? { former } : {}) };
  });
}

const siteSpaceIds = (structure: Structure): string[] => siteSpacesOf(structure).map(({ siteSpace }) => siteSpace.id);

const structuresAtOnce = 100;

const readStructures: ReadPage<StructureDocument, HasArchiveCall> = async (deps, organization, after) => {
  const page = { filter: { organization }, sort: {}, limit: structuresAtOnce, after };
  const { items, next } = await deps.store.page(structures, page);
  return { items: await withoutDeletedSpaces(deps, organization, items), ...(next ? { next } : {}) };
};

/** Reads the site spaces of a site that are in its structure as archives have it. */
const readSiteSpaces: ReadPage<SiteSpaceDocument, HasArchiveCall> = async (deps, organization, after) => {
  const { items, ...rest } = await readBySite(siteSpaces)(deps, organization, after);
  const [first] = items;
  const found = first && (await deps.store.get(structures, first.site));
  const [structure] = found ? await withoutDeletedSpaces(deps, organization, [found]) : [];
  const placed = new Set(structure ? siteSpaceIds(fromStored(structure)) : []);
  return { items: items.filter(({ _id }) => placed.has(_id)), ...rest };
};

async function describeSiteSpace(
  { _id: id, site, condition, customization }: SiteSpaceDocument,
  deps: HasArchiveCall & HasSiteFiles,
) {
  const { settings, files } = await withFileNames(deps, customization);
  return omitUndefined({ id, site, condition, customization: settings, files });
}

const restoreSiteSpace = ({
  id: _id,
  site,
  condition,
  customization,
}: z.output<typeof siteSpaceLine>): SiteSpaceDocument =>
  omitUndefined({
    _id,
    site,
    condition,
    ...(customization ? { customization, customized: true as const, customizationVersion: 1 } : {}),
  });

export const archivedStructures = archiveList({
  file: 'sites/structures.ndjson',
  collection: structures,
  readPage: readStructures,
  describe: describeStructure,
  line: structureLine,
  names: namesOfStructure,
  restore: (line, { organization }) => restoreStructure(line, organization),
});

export const archivedSiteSpaces = archiveList<
  SiteSpaceDocument,
  z.output<typeof siteSpaceLine>,
  HasArchiveCall & HasSiteFiles
>({
  file: siteSpacesFile,
  collection: siteSpaces,
  readPage: readSiteSpaces,
  owner: 'site',
  describe: describeSiteSpace,
  line: siteSpaceLine,
  names: nameSite,
  nameOf: partName,
  files: filesOfLine,
  blobs: blobsOfLine,
  restore: restoreSiteSpace,
  complete: (deps, added, { files }) =>
    Promise.all(
      added.map(async (each) =>
        omitUndefined({ ...each, customization: await withAddresses(deps, each.customization, files) }),
      ),
    ),
});
