import { apiError, invalid } from '../../../../shared/errors/errors.js';

/** The text of a body. Throws 422 for a JSON document, 400 for neither. */
export function markdownOf(field: string, body: { markdown?: string | undefined; document?: unknown }): string {
  if (body.document !== undefined)
    throw apiError(
      'UNPROCESSABLE',
      `${field}.document: JSON documents are not supported; send ${field}.markdown instead`,
      'format_not_supported',
    );
  if (body.markdown === undefined) throw invalid(`${field}.markdown: required`);
  return body.markdown;
}
