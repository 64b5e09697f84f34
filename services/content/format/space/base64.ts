import { invalid } from '../../../../shared/errors/errors.js';

/** Throws 400, which names the field, for what is no base64. */
export function checkBase64(text: string, field: string): void {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) throw invalid(`${field}: not base64`);
}
