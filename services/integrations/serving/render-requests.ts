import lzString from 'lz-string';
import { z } from 'zod';
import { textOf } from '../../../shared/contract/validation.js';
import { invalid } from '../../../shared/errors/errors.js';
import { jsonExcess } from '../../../shared/text/json-extent.js';
import { safeParse } from '../../../shared/text/schema-messages.js';
import { type RenderRequest, renderRequestSchema } from './resources.js';

/** Bytes of JSON, as many as a body may have; counted once unpacked, when a text may be six hundred times as long as before. */
const maxRequestBytes = 262_144;

const schema = z.object({ request: renderRequestSchema });
const invalidRequest = (why: string) => invalid(`request: ${why}`);

/** Reads what `GET .../render` is asked: JSON, compressed by LZ-string for URLs. Throws a 400 that names `request`. */
export function renderRequestIn(compressed: string): RenderRequest {
  const parsed = safeParse(schema, { request: jsonIn(compressed) });
  if (!parsed.success) throw invalidRequest(textOf(parsed.error));
  return parsed.data.request;
}

function jsonIn(compressed: string): unknown {
  const text = decompress(compressed);
  if (!text?.isWellFormed()) throw invalidRequest('must be JSON, compressed by LZ-string for URLs');
  const bytes = Buffer.from(text);
  if (bytes.length > maxRequestBytes) throw invalidRequest(`more than ${maxRequestBytes} bytes of JSON`);
  const excess = jsonExcess(bytes);
  if (excess) throw invalidRequest(excess);
  try {
    return JSON.parse(text);
  } catch {
    throw invalidRequest('not JSON');
  }
}

/** Unpacks a text; null if it is no compressed text. */
function decompress(compressed: string): string | null {
  try {
    return lzString.decompressFromEncodedURIComponent(compressed) || null;
  } catch {
    return null;
  }
}
