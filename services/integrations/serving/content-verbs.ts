import { type Implementation, implementVerb } from '../../../shared/contract/service.js';
import { apiError, notFound } from '../../../shared/errors/errors.js';
import { scaleMs } from '../../../shared/settings/time-scale.js';
import { blockForUrl, computeContent, renderBlock } from '../../content/contract.js';
import { mayAuthenticateVisitors } from '../../sites/contract.js';
import { integrations } from '../catalogue/model.js';
import { coveringInstallation, coveringInstallations } from '../installations/reach/coverage.js';
import { askScript, errorTextOf, type ServingDependencies, scriptFault } from './ask-script.js';
import { findAuthenticator } from './endpoints.js';
import { parseAnswerJson, parseRenderOutput } from './render-outputs.js';
import { findBlock, urlMatcher } from './url-patterns.js';

/** Less than a request may take. */
const computeMs = scaleMs(8_000);
/** A page is shown without a block rather than late. */
const renderMs = scaleMs(4_000);

/** Answers what content and sites ask of the integrations of a space or site. */
export const contentVerbs = (deps: ServingDependencies): Implementation[] => [
  implementVerb(mayAuthenticateVisitors, async (asked) => (await findAuthenticator(deps, asked)) !== undefined),

  implementVerb(blockForUrl, async ({ organization, space, url }) => {
    const covering = await coveringInstallations(deps, { organization, kind: 'space', target: space });
    const isMatch = urlMatcher(url);
    for (const { _id, title, hasBlocks } of covering.map(({ integration }) => integration)) {
      // One after the other: each may be large.
      const declared = hasBlocks ? await deps.store.get(integrations, _id, { fields: ['blocks'] }) : null;
      const block = declared && findBlock(declared.blocks, isMatch);
      if (block) return { integration: _id, title, block };
    }
    return null;
  }),

  implementVerb(renderBlock, async ({ organization, space, component, props, ...asked }) => {
    const found = await coveringInstallation(deps, asked.integration, { organization, kind: 'space', target: space });
    if (!found) return null;
    const context = { type: 'document', spaceId: space, editable: false, theme: 'light' };
    const outcome = await askScript(deps, {
      ...found,
      place: { space },
      type: 'ui_render',
      data: { componentId: component, props, context },
      timeoutMs: renderMs,
    });
    if (outcome.status < 200 || outcome.status > 299) return null;
    const output = parseRenderOutput(outcome);
    return output.type === 'element' ? output : null;
  }),

  implementVerb(computeContent, async ({ organization, space, kind, contentSource: sourceId, ...asked }) => {
    const found = await coveringInstallation(deps, asked.integration, { organization, kind: 'space', target: space });
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
    return parseAnswerJson(outcome);
  }),
];
