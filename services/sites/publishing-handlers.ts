import type { Handlers } from '../../shared/contract/service.js';
import { getAdaptiveSchema, setAdaptiveSchema } from './adaptive-schema.js';
import type { publishedOperations } from './contract/published.js';
import type { publishingOperations } from './contract/publishing.js';
import type { redirectOperations } from './contract/redirects.js';
import type { sitesContract } from './contract.js';
import { previewURL } from './preview.js';
import { getPublishedSite } from './published.js';
import { getPublishingAuth, regeneratePrivateKey, updatePublishingAuth } from './publishing-auth.js';
import type { PublishingRules } from './publishing-rules.js';
import { createRedirect, deleteRedirect, findRedirect, listRedirects, updateRedirect } from './redirects.js';
import { resolvePublished } from './resolve.js';
import { createShareLink, deleteShareLink, listShareLinks, updateShareLink } from './share-links.js';
import { searchSite } from './site-search.js';

type Publishing =
  | keyof typeof publishingOperations
  | keyof typeof redirectOperations
  | keyof typeof publishedOperations;

/** The operations that show a site to its visitors. */
export const publishingHandlers = (rules: PublishingRules): Pick<Handlers<typeof sitesContract>, Publishing> => ({
  listSiteShareLinks: ({ path, query }, context) => listShareLinks(rules, context, path.siteId, query),
  createSiteShareLink: ({ path, body }, context) => createShareLink(rules, context, path.siteId, body),
  updateSiteShareLinkById: ({ path, body }, context) =>
    updateShareLink(rules, context, path.siteId, path.shareLinkId, body),
  deleteSiteShareLinkById: ({ path }, context) => deleteShareLink(rules, context, path.siteId, path.shareLinkId),

  getSitePublishingAuthById: ({ path }) => getPublishingAuth(rules, path.siteId),
  updateSitePublishingAuthById: ({ path, body }, context) => updatePublishingAuth(rules, context, path.siteId, body),
  regenerateSitePublishingAuthById: ({ path }, context) => regeneratePrivateKey(rules, context, path.siteId),
  getSitePublishingPreviewById: ({ path, query }) => previewURL(rules, path.siteId, query),
  getSiteAdaptiveSchema: ({ path }) => getAdaptiveSchema(rules, path.siteId),
  updateSiteAdaptiveSchema: ({ path, body }, context) =>
    setAdaptiveSchema(rules, context, path.siteId, body.jsonSchema),

  listSiteRedirects: ({ path, query }) => listRedirects(rules, path.siteId, query),
  createSiteRedirect: ({ path, body }, context) => createRedirect(rules, context, path.siteId, body),
  updateSiteRedirectById: ({ path, body }, context) =>
    updateRedirect(rules, context, path.siteId, path.siteRedirectId, body),
  deleteSiteRedirectById: ({ path }, context) => deleteRedirect(rules, context, path.siteId, path.siteRedirectId),
  getSiteRedirectBySource: ({ path, query }, context) => findRedirect(rules, context, path.siteId, query),

  resolvePublishedContentByUrl: ({ body }, context) => resolvePublished(rules, context, body),
  getPublishedContentByUrl: ({ query: { url, redirectOnError, visitorAuthToken: jwtToken } }, context) =>
    resolvePublished(rules, context, { url, redirectOnError, visitor: { jwtToken } }),
  getPublishedContentSite: ({ path, query }, context) => getPublishedSite(rules, context, path.siteId, query.shareKey),
  searchSiteContent: ({ path, query, body }, context) => searchSite(rules, context, path.siteId, body, query),
});
