import { resolveAccess } from '../../../shared/contract/access.js';
import type { InstallationCaller } from '../../../shared/contract/caller.js';
import { type Call, type Implementation, implementVerb } from '../../../shared/contract/service.js';
import { notFound, rateLimited } from '../../../shared/errors/errors.js';
import { scaleMs } from '../../../shared/settings/time-scale.js';
import type { Store } from '../../../shared/store/port.js';
import { KeyedSemaphore } from '../../../shared/work/semaphore.js';
import { spaceKind } from '../../content/resources.js';
import { visitorAuthentication } from '../../sites/contract.js';
import { siteKind } from '../../sites/resources.js';
import { findIntegration } from '../catalogue/find.js';
import type { IntegrationDocument } from '../catalogue/model.js';
import { policyText } from '../catalogue/policy-text.js';
import {
  type EndpointAddress,
  type EndpointAnswer,
  serveEndpoint,
  servePublishedScript,
  serveVisitorAuthentication,
} from '../contract.js';
import { findInstallation } from '../installations/find.js';
import {
  contentInstallationId,
  contentInstallations,
  type InstallationDocument,
  type PlaceKind,
} from '../installations/model.js';
import { coveringInstallation, selectionOf } from '../installations/reach/coverage.js';
import { withGrantedScopes } from '../installations/reach/granted-scopes.js';
import type { Outcome } from '../runtime/runtime.js';
import {
  type Answerer,
  type Asked,
  askScript,
  errorTextOf,
  type ServingDependencies,
  scriptFault,
} from './ask-script.js';
import { cacheControlOf } from './cache-control.js';

const timeoutMs = scaleMs(10_000);
/** Requests of strangers that one integration handles at a time in one process. */
const maxAtOnce = 64;

const atLimit = () => rateLimited(`The integration is at its limit of ${maxAtOnce} concurrent requests`, 1000);

/** The verbs by which the gateway has scripts answer browsers and other programs. */
export function endpointVerbs(deps: ServingDependencies): Implementation[] {
  const requests = new KeyedSemaphore(maxAtOnce, atLimit);
  const askAnswerer = (answerer: Answerer, asked: Pick<Asked, 'type' | 'data' | 'body'>): Promise<Outcome> =>
    requests.run(answerer.integration.publication, () => askScript(deps, { ...answerer, ...asked, timeoutMs }));

  return [
    implementVerb(serveEndpoint, async (request, { call }) => {
      const { covers: _, ...answerer } = await findAnswerer(deps, call, request);
      const { method, url, headers, body } = request;
      const outcome = await askAnswerer(answerer, {
        type: 'fetch',
        data: { request: { method, url, headers } },
        ...(body === undefined ? {} : { body: Buffer.from(body, 'base64') }),
      });
      return endpointAnswer(answerer, outcome);
    }),

    implementVerb(servePublishedScript, async (address, { call }) => {
      const { covers, ...answerer } = await findAnswerer(deps, call, address);
      const kind = address.space === undefined ? 'site' : 'space';
      if (!covers || !answerer.integration.scopes.includes(`${kind}:script:inject`)) throw notFound('Script');
      const outcome = await askAnswerer(answerer, { type: 'fetch_published_script', data: {} });
      return endpointAnswer(answerer, publishedScriptIn(outcome));
    }),

    implementVerb(serveVisitorAuthentication, async ({ site, location }, { call }) => {
      const known = await call(visitorAuthentication, { site });
      const answerer = known && (await findAuthenticator(deps, { ...known, site }));
      if (!answerer) throw notFound('Visitor authentication');
      const data = location === undefined ? {} : { location };
      return endpointAnswer(answerer, await askAnswerer(answerer, { type: 'fetch_visitor_authentication', data }));
    }),
  ];
}

/** The integration that identifies the visitors of a site, where it works there and may do so. */
export async function findAuthenticator(
  deps: { store: Store },
  { organization, site, integration: name }: { organization: string; site: string; integration: string },
): Promise<Answerer | undefined> {
  const found = await coveringInstallation(deps, name, { organization, kind: 'site', target: site });
  if (!found?.integration.scopes.includes('site:visitor:auth')) return undefined;
  return { ...found, place: { site } };
}

function endpointAnswer(
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

type Answer = Pick<Outcome, 'status' | 'headers' | 'body'>;

const javascript = /^(text|application)\/(x-)?(java|ecma)script\b/i;
const usualCaching = 'public, max-age=300';
const noScript = Buffer.from('/* The integration has no script for this page. */\n');
/** Statuses by which scripts say that they do not handle an event. */
const unhandled = new Set([400, 404, 406]);

/**
 * The JavaScript that pages load, from what a script answered. One that has nothing to add is answered with a script that does nothing; a page
 * shows no error then. Throws 422 for a script that fails: its page goes on without it.
 */
function publishedScriptIn(outcome: Answer): Answer {
  const { status } = outcome;
  if (unhandled.has(status)) return scriptWith({ headers: [], body: noScript });
  if (status < 200 || status > 299) throw scriptFault(errorTextOf(outcome) ?? `it answered ${status}`);
  return scriptWith(outcome);
}

function scriptWith({ headers, body }: Pick<Answer, 'headers' | 'body'>): Answer {
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  const encoding = headers.filter(([name]) => name.toLowerCase() === 'content-encoding');
  return {
    status: 200,
    headers: [
      ['content-type', javascript.test(type) ? type : 'application/javascript; charset=utf-8'],
      ['cache-control', cacheControlOf(headers) ?? usualCaching],
      ['access-control-allow-origin', '*'],
      ['cross-origin-resource-policy', 'cross-origin'],
      ...encoding,
    ],
    body,
  };
}

/** The integration that answers at an address. Private ones have public endpoints too: other programs call them. */
interface EndpointAnswerer extends Answerer {
  /** Whether the integration works on the space or site that the address names. */
  covers: boolean;
}

const kinds = { space: spaceKind, site: siteKind };

/** Throws 404 for an integration without a script, and for an installation or a place that it does not have. */
async function findAnswerer(
  deps: ServingDependencies,
  call: Call,
  { integration: name, installation: id, space, site }: EndpointAddress,
): Promise<EndpointAnswerer> {
  if (id === undefined) return { integration: withScript(await findIntegration(deps, name)), covers: false };
  const { integration, installation } = await findInstallation(deps, { integrationName: name, installationId: id });
  const found = { integration: withGrantedScopes(withScript(integration), installation), installation };
  const [kind, target] = space === undefined ? (['site', site] as const) : (['space', space] as const);
  if (target === undefined) return { ...found, covers: false };
  const there = await deps.store.get(contentInstallations, contentInstallationId(id, kind, target));
  const isOnAll = selectionOf(installation, kind) === 'all';
  if (!there && !(isOnAll && (await hasPlace(call, installation, { kind, target })))) throw notFound('Installation');
  const covers = installation.status === 'active' && (isOnAll || there?.status === 'active');
  return { ...found, place: { [kind]: target }, covers };
}

/** Whether the organization of an installation has a space or site. */
async function hasPlace(
  call: Call,
  { _id: installation, integration, organization, user }: InstallationDocument,
  { kind, target }: { kind: PlaceKind; target: string },
): Promise<boolean> {
  const named = { installation, integration, organization, user };
  const caller: InstallationCaller = { kind: 'installation', ...named, scopes: [], spaces: 'all', sites: 'all' };
  const [access = null] = await call(resolveAccess(kinds[kind]), { caller, ids: [target] });
  return access?.organization === organization && access.state === 'active';
}

function withScript(integration: IntegrationDocument): IntegrationDocument {
  if (integration.format === 'built-in') throw notFound('Endpoint');
  return integration;
}
