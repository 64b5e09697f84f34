import { type Implementation, implement } from '../../../shared/contract/service.js';
import { apiError, notFound } from '../../../shared/errors.js';
import { blockForUrl, computeContent, mayAuthenticateVisitors } from '../contract.js';
import type { IntegrationsDependencies } from '../dependencies.js';
import { coveringInstallations } from '../installations/reach/coverage.js';
import { askScript, errorTextOf, scriptFault } from './ask-script.js';
import { authenticatorOf } from './endpoints.js';
import { jsonIn } from './render-outputs.js';
import { blockIn, urlMatcher } from './url-patterns.js';

/** Less than a request may take. */
const computeMs = 8_000;

/** What content and sites ask of the integrations of a space or site. */
export const contentVerbs = (deps: IntegrationsDependencies): Implementation[] => [
  implement(mayAuthenticateVisitors, async (asked) => (await authenticatorOf(deps, asked)) !== undefined),

  implement(blockForUrl, async ({ organization, space, url }) => {
    const covering = await coveringInstallations(deps, { organization, kind: 'space', target: space });
    const isMatch = urlMatcher(url);
    for (const { integration } of covering) {
      const block = blockIn(integration.blocks, isMatch);
      if (block) return { integration: integration._id, title: integration.title, block };
    }
    return null;
  }),

  implement(computeContent, async ({ organization, space, kind, contentSource: sourceId, ...asked }) => {
    const covering = await coveringInstallations(deps, { organization, kind: 'space', target: space });
    const found = covering.find(({ integration }) => integration._id === asked.integration);
    if (!found) throw notFound('Installation');
    const { integration, installation } = found;
    if (!integration.contentSources.some(({ id }) => id === sourceId)) throw notFound('Content source');
    const { props, dependencies } = asked;
    const outcome = await askScript(deps, {
      integration,
      installation,
      place: { space },
      type: `content_compute_${kind}`,
      data: { sourceId, props, dependencies },
      timeoutMs: computeMs,
    });
    const { status } = outcome;
    if (status === 404) throw apiError('NOT_FOUND', errorTextOf(outcome) ?? 'Content source not found');
    if (status < 200 || status > 299) throw scriptFault(errorTextOf(outcome) ?? `it answered ${status}`);
    return jsonIn(outcome);
  }),
];
