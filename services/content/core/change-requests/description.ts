import { invalid } from '../../../../shared/errors/errors.js';
import type { PageBody } from '../../format/resources.js';
import type { HasWork } from '../../format/workers/page-work.js';
import type { ChangeRequestDocument } from './model.js';

/** Characters of a description as JSON: lists of change requests show it of each. */
const maxLength = 50_000;

/** The description that is stored for one that was sent, without what texts do not have. Throws 400 for one that is not taken. */
export async function readDescription(
  { work }: HasWork,
  given: PageBody | null | undefined,
  organization: string,
): Promise<ChangeRequestDocument['description']> {
  if (!given) return given;
  const [read] = await work.texts([{ document: given }], organization);
  if (!read || 'refused' in read) throw invalid(`description: ${read?.refused ?? 'must be a document'}`);
  if (JSON.stringify(read.document).length > maxLength)
    throw invalid(`description: must be at most ${maxLength.toLocaleString('en')} characters as JSON`);
  return read.document;
}

/** The details of a change for the audit trail, which says of a description only whether there is one. */
export const withoutDescription = ({ description, ...details }: Record<string, unknown>): Record<string, unknown> => ({
  ...details,
  ...(description === undefined ? {} : { described: description !== null }),
});
