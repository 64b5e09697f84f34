import { z } from 'zod';
import { timestampSchema } from '../../../../../shared/contract/fields.js';
import { specSlugSchema, visibilities } from '../../../openapi/resources.js';
import { refusal } from '../../conversion/refused.js';
import { archivedId } from '../archived-fields.js';
import type { ArchiveFile } from './archive-file.js';
import { eachLineOf } from './archive-lines.js';

const specLine = z.strictObject({
  id: archivedId,
  slug: specSlugSchema,
  visibility: z.enum(visibilities),
  sourceURL: z.string().max(10_000).optional(),
  createdAt: timestampSchema,
  updatedAt: timestampSchema,
});

export type ArchivedSpec = z.output<typeof specLine>;

export const specsFile = 'openapi.ndjson';

/** The file of the latest version of a specification. */
export const specVersionFile = ({ slug }: Pick<ArchivedSpec, 'slug'>): string => `openapi/${slug}.json`;

const maxSpecs = 10_000;

/** The specifications of an archive. */
export async function readArchivedSpecs(archive: ArchiveFile): Promise<ArchivedSpec[]> {
  const specs: ArchivedSpec[] = [];
  const known = new Set<string>();
  for await (const spec of eachLineOf(archive, specsFile, specLine)) {
    const where = `${specsFile} line ${specs.push(spec)}`;
    if (specs.length > maxSpecs) throw refusal(`${where}: an organization has at most ${maxSpecs} specifications`);
    for (const [field, value] of Object.entries({ id: spec.id, slug: spec.slug })) {
      if (known.has(`${field} ${value}`)) throw refusal(`${where}: ${field}: is on another line, too`);
      known.add(`${field} ${value}`);
    }
  }
  return specs;
}
