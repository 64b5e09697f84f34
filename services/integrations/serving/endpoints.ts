import { type Implementation, implement } from '../../../shared/contract/service.js';
import { notFound, rateLimited } from '../../../shared/errors/errors.js';
import { scaleMs } from '../../../shared/settings/time-scale.js';
import type { Store } from '../../../shared/store/port.js';
import { KeyedSemaphore } from '../../../shared/work/semaphore.js';
import { visitorAuthentication } from '../../sites/contract.js';
import { policyText } from '../catalogue/policy-text.js';
import { type EndpointAnswer, serveEndpoint, servePublishedScript, serveVisitorAuthentication } from '../contract.js';
import { coveringInstallation } from '../installations/reach/coverage.js';
import type { Outcome } from '../runtime/runtime.js';
import { type Answerer, type Asked, askScript, type ServingDependencies, scriptFault } from './ask-script.js';
import { answererAt } from './endpoint-places.js';
import { publishedScriptIn } from './published-scripts.js';

const timeoutMs = scaleMs(10_000);
/** Requests of strangers that one integration handles at a time in one process. */
const maxAtOnce = 64;

const atLimit = () => rateLimited(`The integration is at its limit of ${maxAtOnce} concurrent requests`, 1000);

/** The verbs by which the gateway has scripts answer browsers and other programs. */
export function endpointVerbs(deps: ServingDependencies): Implementation[] {
  const requests = new KeyedSemaphore(maxAtOnce, atLimit);
  const ask = (answerer: Answerer, asked: Pick<Asked, 'type' | 'data' | 'body'>): Promise<Outcome> =>
    requests.run(answerer.integration.publication, () => askScript(deps, { ...answerer, ...asked, timeoutMs }));

  return [
    implement(serveEndpoint, async (request, { call }) => {
      const { covers: _, ...answerer } = await answererAt(deps, call, request);
      const { method, url, headers, body } = request;
      const outcome = await ask(answerer, {
        type: 'fetch',
        data: { request: { method, url, headers } },
        ...(body === undefined ? {} : { body: Buffer.from(body, 'base64') }),
      });
      return answerWith(answerer, outcome);
    }),

    implement(servePublishedScript, async (address, { call }) => {
      const { covers, ...answerer } = await answererAt(deps, call, address);
      const kind = address.space === undefined ? 'site' : 'space';
      if (!covers || !answerer.integration.scopes.includes(`${kind}:script:inject`)) throw notFound('Script');
      const outcome = await ask(answerer, { type: 'fetch_published_script', data: {} });
      return answerWith(answerer, publishedScriptIn(outcome));
    }),

    implement(serveVisitorAuthentication, async ({ site, location }, { call }) => {
      const known = await call(visitorAuthentication, { site });
      const answerer = known && (await authenticatorOf(deps, { ...known, site }));
      if (!answerer) throw notFound('Visitor authentication');
      const data = location === undefined ? {} : { location };
      return answerWith(answerer, await ask(answerer, { type: 'fetch_visitor_authentication', data }));
    }),
  ];
}

/** The integration that identifies the visitors of a site, where it works there and may do so. */
export async function authenticatorOf(
  deps: { store: Store },
  { organization, site, integration: name }: { organization: string; site: string; integration: string },
): Promise<Answerer | undefined> {
  const found = await coveringInstallation(deps, name, { organization, kind: 'site', target: site });
  if (!found?.integration.scopes.includes('site:visitor:auth')) return undefined;
  return { ...found, place: { site } };
}

function answerWith(
  { integration: { contentSecurityPolicy } }: Answerer,
  { status, headers, body }: Pick<Outcome, 'status' | 'headers' | 'body'>,
): EndpointAnswer {
  if (status < 200 || status > 599) throw scriptFault(`it answered ${status}`);
  return {
    status,
    headers,
    body: body.toString('base64'),
    ...(contentSecurityPolicy === undefined ? {} : { contentSecurityPolicy: policyText(contentSecurityPolicy) }),
  };
}
