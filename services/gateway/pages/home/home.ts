import { version } from '../../../../shared/process/version.js';
import { cacheForASecond } from '../../../../shared/work/one-second-cache.js';
import { prefersHtml } from '../../http/accept.js';
import { type Exchange, sendContent, sendJson } from '../../http/reply.js';
import { type HomeOptions, homePage, homePolicy, type Published, summary } from './home-page.js';

/** Describes this server and its addresses: as a page for browsers, as JSON for other clients. `publishedSites` is asked once a second at most. */
export function createHome(
  options: HomeOptions,
  publishedSites: () => Promise<NonNullable<Published>>,
): (exchange: Exchange) => Promise<void> {
  const { baseUrl } = options;
  const page = cacheForASecond(async () => homePage(await publishedSites().catch(() => null), options));
  const information = {
    name: 'Bindery',
    description: summary,
    version,
    urls: {
      api: `${baseUrl}/v1`,
      reference: `${baseUrl}/docs`,
      openapi: `${baseUrl}/openapi.json`,
      handbook: `${baseUrl}/handbook`,
      health: `${baseUrl}/readyz`,
    },
  };
  return async (exchange) => {
    exchange.headers.Vary = exchange.headers.Vary ? `${exchange.headers.Vary}, Accept` : 'Accept';
    exchange.headers['Cache-Control'] = 'no-cache';
    if (!prefersHtml(exchange.request)) return sendJson(exchange, 200, information);
    exchange.headers['Content-Security-Policy'] = homePolicy;
    return sendContent(exchange, 200, 'text/html; charset=utf-8', await page());
  };
}
