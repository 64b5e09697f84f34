import type { Context, HandlersOf } from '../../../shared/contract/service.js';
import { apiError } from '../../../shared/errors/errors.js';
import { scaleMs } from '../../../shared/settings/time-scale.js';
import { findIntegration } from '../catalogue/find.js';
import type { renderOperations } from '../contract/serving.js';
import { askScript, errorTextOf, type ServingDependencies, scriptFault } from './ask-script.js';
import { cacheControlOf } from './cache-control.js';
import { renderOutputIn } from './render-outputs.js';
import { renderRequestIn } from './render-requests.js';
import { rendererIn } from './rendering-places.js';
import type { RenderOutput, RenderRequest } from './resources.js';

/** Less than a request may take. */
const timeoutMs = scaleMs(8_000);

/** Components of integrations, as their scripts render them. */
export function renderHandlers(deps: ServingDependencies): HandlersOf<typeof renderOperations> {
  async function render(name: string, request: RenderRequest, context: Context): Promise<RenderOutput> {
    const { caller } = context;
    const integration = await findIntegration(deps, name);
    const renderer = await rendererIn(deps, context, { integration, context: request.context });
    const data = { ...request, ...(caller.kind === 'user' ? { auth: { userId: caller.user } } : {}) };
    const outcome = await askScript(deps, { ...renderer, type: 'ui_render', data, timeoutMs });
    const { status } = outcome;
    if (status === 404) throw apiError('NOT_FOUND', errorTextOf(outcome) ?? 'Component not found');
    if (status >= 400 && status < 500) throw scriptFault(errorTextOf(outcome) ?? `it answered ${status}`);
    if (status < 200 || status > 299) throw scriptFault(`it answered ${status}`);
    const output = renderOutputIn(outcome);
    const cacheControl = cacheControlOf(outcome.headers);
    if (cacheControl !== undefined) context.cacheControl(cacheControl);
    return output;
  }
  return {
    renderIntegrationUIWithGet: ({ path, query }, context) =>
      render(path.integrationName, renderRequestIn(query.request), context),
    renderIntegrationUIWithPost: ({ path, body }, context) => render(path.integrationName, body, context),
  };
}
