import type { HasContentTokens } from '../../../../shared/contract/content-token.js';
import type { HasCallAs } from '../../../../shared/contract/context.js';
import type { HandlersOf } from '../../../../shared/contract/service.js';
import type { HasSecrets } from '../../../../shared/secrets/secrets.js';
import type { publishedOperations } from '../../contract/visiting.js';
import { siteOf } from '../../site/model.js';
import { resolvePublished } from '../resolve.js';
import { prewarmSite, searchSite } from '../site-search.js';
import { type PresentsSites, publishedSite } from './published-site.js';

export const publishedHandlers = (
  deps: PresentsSites & HasSecrets & HasContentTokens & HasCallAs,
): HandlersOf<typeof publishedOperations> => ({
  resolvePublishedContentByUrl: ({ body }, { call, caller }) => resolvePublished(deps, { call, caller, body }),

  getPublishedContentByUrl({ query: { url, redirectOnError, visitorAuthToken: jwtToken } }, { call, caller }) {
    return resolvePublished(deps, { call, caller, body: { url, redirectOnError, visitor: { jwtToken } } });
  },

  async getPublishedContentSite({ path: { siteId }, query: { shareKey } }, { call, caller }) {
    return publishedSite(deps, { call, caller, site: await siteOf(deps.store, siteId), shareKey });
  },

  searchSiteContent: ({ path: { siteId }, query, body }, { call, caller }) =>
    searchSite(deps, { call, caller, id: siteId, body, query }),

  prewarmSiteSearch: ({ path: { siteId } }, { call, caller }) => prewarmSite(deps, { call, caller, id: siteId }),
});
