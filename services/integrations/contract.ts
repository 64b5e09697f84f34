import type { Caller } from '../../shared/contract/caller.js';
import type { IntegrationSubject } from '../../shared/contract/integration-token.js';
import { defineContract } from '../../shared/contract/operation.js';
import { question, verb } from '../../shared/contract/verb.js';
import {
  catalogueOperations,
  organizationIntegrationOperations,
  spaceIntegrationOperations,
} from './contract/catalogue.js';
import { shownIntegrationOperations } from './contract/content.js';
import { eventOperations } from './contract/events.js';
import { contentInstallationOperations, installationOperations } from './contract/installations.js';
import { renderOperations } from './contract/serving.js';
import type { IntegrationBlock, IntegrationScript } from './resources.js';

export const integrationsContract = defineContract('integrations', {
  ...catalogueOperations,
  ...organizationIntegrationOperations,
  ...spaceIntegrationOperations,
  ...shownIntegrationOperations,
  ...installationOperations,
  ...contentInstallationOperations,
  ...eventOperations,
  ...renderOperations,
});

/** The caller whom a temporary token speaks for; null when the integration was unpublished or uninstalled, or the tunnel closed, since. */
export const callerOfIntegration = question<{ subject: IntegrationSubject }, Caller | null>(
  'integrations',
  'callerOfIntegration',
);

/** What an address below the public endpoint of an integration names: an installation of it, and that on a space or site. */
export interface EndpointAddress {
  integration: string;
  installation?: string;
  space?: string;
  site?: string;
}

/** A request to such an address. */
export interface EndpointRequest extends EndpointAddress {
  method: string;
  /** As the client asked for it. */
  url: string;
  /** By their names in lower case, without those that scripts must not see. */
  headers: Record<string, string>;
  /** In base64. */
  body?: string;
}

/** An answer of a script to a browser or another program. */
export interface EndpointAnswer {
  status: number;
  /** As the script sent them. */
  headers: [name: string, value: string][];
  /** In base64. */
  body: string;
  /** What the integration declares, as the value of the header. */
  contentSecurityPolicy?: string;
}

/**
 * Has the script of an integration answer a request (event `fetch`). Throws 404 where there is no such endpoint, 422 where the script fails, 429
 * where it has too many requests, 503 where it cannot be asked now; the others do too.
 */
export const serveEndpoint = verb<EndpointRequest, EndpointAnswer>('integrations', 'serveEndpoint');

/** The script that an integration adds to the pages of a space or site (event `fetch_published_script`). */
export const servePublishedScript = verb<EndpointAddress, EndpointAnswer>('integrations', 'servePublishedScript');

/** Has the integration that identifies the visitors of a site answer one (event `fetch_visitor_authentication`). */
export const serveVisitorAuthentication = verb<{ site: string; location?: string }, EndpointAnswer>(
  'integrations',
  'serveVisitorAuthentication',
);

/** Whether an integration works on a site and may identify its visitors. */
export const mayAuthenticateVisitors = question<{ organization: string; site: string; integration: string }, boolean>(
  'integrations',
  'mayAuthenticateVisitors',
);

/** The block of an integration of a space that shows a URL; null without one. */
export const blockForUrl = question<
  { organization: string; space: string; url: string },
  { integration: string; title: string; block: IntegrationBlock } | null
>('integrations', 'blockForUrl');

export const endpointsPath = '/~integrations/v1';

interface Addresses {
  baseUrl: string;
  INTEGRATIONS_URL?: string | undefined;
}

/** Where scripts answer requests, as clients reach it: an address without a slash at the end. */
export const endpointsUrlOf = ({ INTEGRATIONS_URL, baseUrl }: Addresses): string =>
  (INTEGRATIONS_URL ?? baseUrl).replace(/\/+$/, '') + endpointsPath;

/** Where visitors of a site sign in whom an integration identifies. */
export const visitorAuthenticationUrl = (addresses: Addresses, site: string): string =>
  `${endpointsUrlOf(addresses)}/sites/${site}/visitor-auth`;

/** The scripts that integrations add to the pages of a site. */
export const scriptsOfSite = question<{ organization: string; site: string }, IntegrationScript[]>(
  'integrations',
  'scriptsOfSite',
);

export interface ComputeContent {
  organization: string;
  space: string;
  integration: string;
  /** The id of one of its content sources. */
  contentSource: string;
  kind: 'document' | 'revision';
  props: object;
  dependencies: object;
}

/**
 * What the script of an integration computes (events `content_compute_document` and `content_compute_revision`), as it answers it. Throws 404
 * where the integration is not installed on the space, or has no such content source.
 */
export const computeContent = question<ComputeContent, unknown>('integrations', 'computeContent');

/** A page that a visitor of a site opened. */
export interface View {
  space?: string;
  siteSpace?: string;
  page?: string;
  visitor: {
    anonymousId: string;
    cookies: Record<string, string>;
    userAgent: string;
    ip: string;
    language?: string;
  };
  url: string;
  /** Empty without one. */
  referrer: string;
}

/** What a visitor said of a page. */
export interface Feedback extends View {
  feedback: { rating: string; comment?: string };
}

export interface Views {
  organization: string;
  site: string;
  views: View[];
  /** Apart from the views: an earlier release would take it for some. */
  feedback?: Feedback[];
}

/** Whether any integration in an organization wants to know of the views of sites or spaces, or of feedback. */
export const wantsViews = question<{ organization: string }, boolean>('integrations', 'wantsViews');

/** Tells integrations of views and feedback, in events of their own. */
export const noteViews = verb<Views, void>('integrations', 'noteViews');
