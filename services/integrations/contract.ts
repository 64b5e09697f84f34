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

/** Names in an address below the public endpoint of an integration: an installation of it, and that on a space or site. */
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
  /** Keyed by name in lower case, without those that scripts must not see. */
  headers: Record<string, string>;
  /** Encoded as base64. */
  body?: string;
}

/** An answer of a script to a browser or another program. */
export interface EndpointAnswer {
  status: number;
  /** As the script sent them. */
  headers: [name: string, value: string][];
  /** Encoded as base64. */
  body: string;
  /** The policy that the integration declares, as the value of the header. */
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

/** A visitor's rating of a page, with a comment if there is one. */
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

/** Notifies integrations of views and feedback, in events of their own. */
export const noteViews = verb<Views, void>('integrations', 'noteViews');
