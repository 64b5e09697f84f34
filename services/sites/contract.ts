import type { ContentCaller } from '../../shared/contract/caller.js';
import type { Encoded } from '../../shared/contract/encoded.js';
import type { BodyOf, Piece, ResponseOf } from '../../shared/contract/operation.js';
import { defineContract } from '../../shared/contract/operation.js';
import { question } from '../../shared/contract/verb.js';
import { askingOperations } from './contract/asking.js';
import { customHostnameOperations } from './contract/custom-hostnames.js';
import { customizationOperations } from './contract/customization.js';
import { externalLinkOperations } from './contract/external-links.js';
import { mcpServerOperations } from './contract/mcp-servers.js';
import { sitePermissionOperations } from './contract/permissions.js';
import { adaptiveSchemaOperations, publishingAuthOperations, shareLinkOperations } from './contract/publishing.js';
import { redirectOperations } from './contract/redirects.js';
import {
  sectionGroupOperations,
  sectionOperations,
  siteSpaceOperations,
  structureOperations,
} from './contract/sections.js';
import { siteOperations } from './contract/sites.js';
import {
  contentUrlOperations,
  copyingOperations,
  previewOperations,
  publishedOperations,
} from './contract/visiting.js';
import type { IntegrationScript, PublishedContent, Site } from './resources.js';

export const sitesContract = defineContract('sites', {
  ...siteOperations,
  ...structureOperations,
  ...sectionOperations,
  ...sectionGroupOperations,
  ...siteSpaceOperations,
  ...externalLinkOperations,
  ...shareLinkOperations,
  ...publishingAuthOperations,
  ...previewOperations,
  ...adaptiveSchemaOperations,
  ...redirectOperations,
  ...publishedOperations,
  ...copyingOperations,
  ...askingOperations,
  ...contentUrlOperations,
  ...customizationOperations,
  ...mcpServerOperations,
  ...sitePermissionOperations,
  ...customHostnameOperations,
});

/** Sites that the caller may view, in the order of the ids; null for those of other organizations and those that it may not view. */
export const presentSites = question<{ organization: string; ids: string[] }, (Site | null)[]>('sites', 'presentSites');

/** The key that signs JWTs about the visitors of a site, and the name of the integration that signs them, where one does. */
export interface VisitorSigning {
  integration?: string;
  key: string;
}

/** Null when the organization has no such site. Only the system may ask: throws 403 for all other callers. */
export const visitorSigningKey = question<{ organization: string; site: string }, VisitorSigning | null>(
  'sites',
  'visitorSigningKey',
);

/** A site that anybody may find. */
export interface PublicSite {
  title: string;
  url: string;
  /** The name of its organization. */
  organization: string;
  /** Its icon: an emoji, or the code points of one in hexadecimal. */
  emoji?: string;
}

/** Published sites of visibility `public`, the oldest first, at most 50. */
export const listPublicSites = question<Record<never, never>, { items: PublicSite[]; more: boolean }>(
  'sites',
  'listPublicSites',
);

/** Where the pages of a site are shown. */
export interface SiteAddresses {
  /** Whether visitors may see it at all. */
  published: boolean;
  /** URLs with a slash at the end; its pages are below them. */
  addresses: string[];
}

/** Where the pages of a site are shown; null when the organization has no such site. */
export const addressesOfSite = question<{ organization: string; site: string }, SiteAddresses | null>(
  'sites',
  'addressesOfSite',
);

/**
 * Spaces that the visitor of a content token may read now, and by which claims. Null when what the token was issued for is gone: the
 * site, its publication, the share link, the private key that signed the visitor's JWT, or the site space.
 */
export const standingOf = question<{ visitor: ContentCaller }, Pick<ContentCaller, 'spaces' | 'claims'> | null>(
  'sites',
  'standingOf',
);

/** The integration that identifies the visitors of a published site; null where it is another way, or no such site. */
export const visitorAuthentication = question<{ site: string }, { organization: string; integration: string } | null>(
  'sites',
  'visitorAuthentication',
);

/** Asks integrations whether an integration works on a site and may identify its visitors. */
export const mayAuthenticateVisitors = question<{ organization: string; site: string; integration: string }, boolean>(
  'integrations',
  'mayAuthenticateVisitors',
);

/** Whether a host name is that of a site, published or not: its own, proven one, or that of an organization below the domain for sites. */
export const isSiteHost = question<{ host: string }, boolean>('sites', 'isSiteHost');

export interface VisitSite {
  /** As the visitor requests it. */
  url: string;
  visitor: NonNullable<BodyOf<typeof publishedOperations.resolvePublishedContentByUrl>['visitor']>;
  /** The key of the site that the reader has. */
  known?: string | undefined;
}

/** Everything that rendering a site needs, as one visitor sees it. */
export type PublishedSite = ResponseOf<typeof publishedOperations.getPublishedContentSite>;

/** Where a visit leads. */
export type SiteVisit =
  | Extract<PublishedContent, { redirect: string }>
  | {
      shown: Omit<Exclude<PublishedContent, { redirect: string }>, 'apiToken'>;
      /** Reads the content on behalf of the visitor. */
      visitor: ContentCaller;
      /** The same for the same site as the same kinds of visitors see it. */
      key: string;
      /** Absent where `known` is its key. */
      site?: PublishedSite;
    };

/**
 * For the reader: what a URL means to a visitor. Throws 404 for a URL that leads nowhere or is hidden from this visitor, 401 where a site needs a
 * JWT and says no place to get one.
 */
export const visitSite = question<VisitSite, SiteVisit>('sites', 'visitSite');

export interface CopySite {
  /** Where the site begins for its visitors. */
  url: string;
  organization: string;
  /** The pages that come before. */
  after: number;
}

/** Asks the reader for the next files of a site as static HTML, as visitors without claims see it. Throws 409 for a site that shows nothing, 422 for one with too many pages. */
export const copySite = question<CopySite, Encoded<Piece>>('reader', 'copySite');

/** Asks integrations for the scripts that they add to the pages of a site. */
export const scriptsOfSite = question<{ organization: string; site: string }, IntegrationScript[]>(
  'integrations',
  'scriptsOfSite',
);
