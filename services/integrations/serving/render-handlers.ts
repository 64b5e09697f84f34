import lzString from 'lz-string';
import { z } from 'zod';
import type { Context, HandlersOf } from '../../../shared/contract/service.js';
import { describeProblems } from '../../../shared/contract/validation.js';
import { apiError, invalid } from '../../../shared/errors/errors.js';
import { scaleMs } from '../../../shared/settings/time-scale.js';
import { jsonExcess } from '../../../shared/text/json-extent.js';
import { safeParse } from '../../../shared/text/schema-messages.js';
import { findIntegration } from '../catalogue/find.js';
import type { renderOperations } from '../contract/serving.js';
import { askScript, errorTextOf, type ServingDependencies, scriptFault } from './ask-script.js';
import { cacheControlOf } from './cache-control.js';
import { parseRenderOutput } from './render-outputs.js';
import { findRenderer } from './rendering-places.js';
import { type RenderOutput, type RenderRequest, renderRequestSchema } from './resources.js';

/** Less than a request may take. */
const timeoutMs = scaleMs(8_000);

/** Components of integrations, as their scripts render them. */
export function renderHandlers(deps: ServingDependencies): HandlersOf<typeof renderOperations> {
  async function render(name: string, request: RenderRequest, context: Context): Promise<RenderOutput> {
    const { caller } = context;
    const integration = await findIntegration(deps, name);
    const renderer = await findRenderer(deps, context, { integration, context: request.context });
    const data = { ...request, ...(caller.kind === 'user' ? { auth: { userId: caller.user } } : {}) };
    const outcome = await askScript(deps, { ...renderer, type: 'ui_render', data, timeoutMs });
    const { status } = outcome;
    if (status === 404) throw apiError('NOT_FOUND', errorTextOf(outcome) ?? 'Component not found');
    if (status >= 400 && status < 500) throw scriptFault(errorTextOf(outcome) ?? `it answered ${status}`);
    if (status < 200 || status > 299) throw scriptFault(`it answered ${status}`);
    const output = parseRenderOutput(outcome);
    const cacheControl = cacheControlOf(outcome.headers);
    if (cacheControl !== undefined) context.cacheControl(cacheControl);
    return output;
  }
  return {
    renderIntegrationUIWithGet: ({ path, query }, context) =>
      render(path.integrationName, parseRequest(query.request), context),
    renderIntegrationUIWithPost: ({ path, body }, context) => render(path.integrationName, body, context),
  };
}

/** Bytes of JSON, as many as a body may have; counted once unpacked, when a text may be six hundred times as long as before. */
const maxRequestBytes = 262_144;

const schema = z.object({ request: renderRequestSchema });
const invalidRequest = (why: string) => invalid(`request: ${why}`);

/** Reads what `GET .../render` is asked: JSON, compressed by LZ-string for URLs. Throws a 400 that names `request`. */
function parseRequest(compressed: string): RenderRequest {
  const parsed = safeParse(schema, { request: decompressJson(compressed) });
  if (!parsed.success) throw invalidRequest(describeProblems(parsed.error));
  return parsed.data.request;
}

function decompressJson(compressed: string): unknown {
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
