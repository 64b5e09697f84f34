import { z } from 'zod';
import { timestampSchema } from '../../../../../shared/contract/fields.js';
import { defaultLevelSchema, editModes, languageSchema } from '../../../core/nodes/resources.js';
import { refusal } from '../../conversion/refused.js';
import { maxFiles, maxPages } from '../../imports/import-limits.js';
import { archivedId } from '../archived-fields.js';
import { contentFolder, spaceFolder, spaceLists } from '../entries/space-files.js';
import { type ArchiveFile, type Files, quotedPath } from './archive-file.js';
import { eachLineOf, readBytes, readShaped } from './archive-lines.js';

const text = z.string().max(100_000);
const short = z.string().max(10_000);

const spaceSchema = z.strictObject({
  id: archivedId,
  title: short,
  emoji: short.optional(),
  icon: short.optional(),
  language: languageSchema.optional(),
  editMode: z.enum(editModes),
  defaultLevel: defaultLevelSchema,
  parent: archivedId.optional(),
  formerParent: archivedId.optional(),
  order: short.optional(),
  translationOf: archivedId.optional(),
  directory: short.optional(),
  createdBy: archivedId,
  createdAt: timestampSchema,
  updatedAt: timestampSchema,
});

const pageLine = z.strictObject({
  id: archivedId,
  parent: archivedId.optional(),
  type: z.enum(['document', 'group', 'link', 'computed']),
  title: text,
  linkTitle: text.optional(),
  slug: short,
  path: text,
  file: short.optional(),
  emoji: short.optional(),
  icon: short.optional(),
  description: text.optional(),
  hidden: z.boolean().optional(),
  noIndex: z.boolean().optional(),
  noRobotsIndex: z.boolean().optional(),
  href: text.optional(),
  createdAt: timestampSchema.optional(),
  updatedAt: timestampSchema.optional(),
});

const fileLine = z.strictObject({
  id: archivedId,
  name: short,
  contentType: short,
  size: z.number().int().min(0),
  file: short.optional(),
});

const reusableLine = z.strictObject({ id: archivedId, title: text, file: short.optional() });

const redirectLine = z.strictObject({ from: text, page: archivedId, anchor: text.optional() });

export type ArchivedPage = z.output<typeof pageLine>;

/** The ids and names of what a space holds, or held. */
export interface ArchivedContent {
  pages: ArchivedPage[];
  files: z.output<typeof fileLine>[];
  reusable: z.output<typeof reusableLine>[];
  redirects: z.output<typeof redirectLine>[];
}

/** A space as an archive describes it, without its content. */
export interface ArchivedSpace extends ArchivedContent {
  space: z.output<typeof spaceSchema>;
}

/** The files of the folder of a space that each archive has. */
export const spaceFiles = ['space.json', ...spaceLists];

/** More redirects than a space keeps. */
const maxRedirects = 100_000;

/** Reads what an archive says of a space, and checks that it fits together. Throws 422 with what does not. */
export async function readArchivedSpace(archive: ArchiveFile, id: string): Promise<ArchivedSpace> {
  const at = spaceFolder(id);
  const json = (await readBytes(archive, `${at}space.json`)).toString('utf8');
  const space = readShaped(json, spaceSchema, `${at}space.json`);
  if (space.id !== id) throw refusal(`${at}space.json: id: must be that of its folder`);
  return { space, ...(await readArchivedContent(archive, at)) };
}

/** Reads the lists in a folder, and checks that they fit together and to the content beside them. Throws 422 with what does not. */
export async function readArchivedContent(files: Files, at: string): Promise<ArchivedContent> {
  const listOf = async <L>(name: string, line: z.ZodType<L>, maxCount: number): Promise<L[]> => {
    const lines: L[] = [];
    for await (const each of eachLineOf(files, at + name, line))
      if (lines.push(each) > maxCount) throw refusal(`${at}${name}: has more than ${maxCount} lines`);
    return lines;
  };
  const read = {
    pages: await listOf('pages.ndjson', pageLine, maxPages),
    files: await listOf('files.ndjson', fileLine, maxFiles),
    reusable: await listOf('reusable-contents.ndjson', reusableLine, maxFiles),
    redirects: await listOf('redirects.ndjson', redirectLine, maxRedirects),
  };
  const content = at + contentFolder;
  checkItems(files, { file: `${at}pages.ndjson`, items: read.pages, content });
  checkItems(files, { file: `${at}files.ndjson`, items: read.files, content });
  checkItems(files, { file: `${at}reusable-contents.ndjson`, items: read.reusable, content });
  return read;
}

interface Items {
  file: string;
  items: { id: string; parent?: string | undefined; file?: string | undefined }[];
  content: string;
}

/** Checks that each id is on one line, below one that came before, and that the files are there. */
function checkItems(files: Files, { file, items, content }: Items): void {
  const known = new Set<string>();
  for (const [at, { id, parent, file: path }] of items.entries()) {
    const where = `${file} line ${at + 1}`;
    if (known.has(id)) throw refusal(`${where}: id: is on another line, too`);
    if (parent !== undefined && !known.has(parent)) throw refusal(`${where}: parent: must be on a line before`);
    if (path !== undefined && !files.sizes.has(content + path))
      throw refusal(`${where}: file: ${quotedPath(path)} is not in ${content}`);
    known.add(id);
  }
}
