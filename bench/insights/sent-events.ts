import type { InsightsEvent } from '../../services/insights/events/resources.js';

const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)';
const linux = 'Mozilla/5.0 (X11; Linux x86_64)';
const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X)';
const android = 'Mozilla/5.0 (Linux; Android 14; Pixel 8)';
const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';

const userAgents = [
  ...[mac, windows, linux].flatMap((system) =>
    [138, 139, 140, 141].map((version) => `${system} ${webkit} Chrome/${version}.0.0.0 Safari/537.36`),
  ),
  `${windows} ${webkit} Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0`,
  `${mac} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15`,
  `${phone} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1`,
  `${android} ${webkit} Chrome/141.0.0.0 Mobile Safari/537.36`,
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0',
  'Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)',
];
const referrers = [
  null,
  null,
  'https://www.google.com/',
  'https://docs.example.com/guides/install',
  'https://news.example.org/item?id=41873021',
];
const languages = ['en-US', 'de-DE', 'fr-FR', 'ja-JP', null];
const queries = ['install', 'api token', 'webhook retries', 'how do I export to pdf', 'rate limit'];
const parts = ['guides', 'reference', 'api', 'changelog', 'help'];

const one = <T>(texts: readonly T[], at: number) => texts[at % texts.length] as T;

/** What its type adds to an event: 14 of 20 are page views. */
function ownFields(at: number): { type: InsightsEvent['type']; [field: string]: unknown } {
  const query = one(queries, at);
  switch (at % 20) {
    case 3:
      return { type: 'search_open' };
    case 5:
    case 9:
      return { type: 'search_type_query', query };
    case 10:
      return { type: 'search_open_result', query, result: { spaceId: `space${at % 7}`, pageId: `page${at % 90}` } };
    case 14:
      return { type: 'page_post_feedback', feedback: { rating: one(['good', 'ok', 'bad'], at) } };
    case 17:
      return {
        type: 'link_click',
        link: {
          target: { kind: 'url', url: `https://target${at % 30}.example/start` },
          position: one(['header', 'content'], at),
        },
      };
    default:
      return { type: 'page_view' };
  }
}

/** The event of a visitor, as renderers send it, of the last minute. */
function sentEvent(at: number, now: number, address: string): InsightsEvent {
  const visitor = Math.floor(at / 5);
  const campaign = visitor % 6 === 0 ? `?utm_source=newsletter&utm_medium=mail&utm_campaign=spring-${visitor % 3}` : '';
  const claims = { company: { id: `c${visitor % 40}`, plan: one(['free', 'pro'], visitor) }, beta: true };
  return {
    timestamp: new Date(now - (at % 60_000)).toISOString(),
    session: {
      visitorId: `6f1c0e7a-52d4-4b1b-9f0e-${String(visitor).padStart(12, '0')}`,
      sessionId: `b7d2f1c4-0a3e-4c55-8d21-${String(visitor).padStart(12, '0')}`,
      cookies: { theme: 'dark', locale: 'en' },
      userAgent: one(userAgents, visitor),
      language: one(languages, visitor),
      referrer: one(referrers, at),
      ...(visitor % 10 === 0 ? { visitorAuthClaims: claims } : {}),
    },
    location: {
      url: `${address}${one(parts, at)}/page-${at % 90}${campaign}`,
      siteSection: null,
      siteSpace: `sitespace${at % 3}`,
      siteShareKey: null,
      space: `space${at % 7}`,
      revision: `revision${at % 4}`,
      page: `page${at % 90}`,
    },
    ...ownFields(at),
  } as InsightsEvent;
}

/** The events of requests to a site, so many in each. */
export function sentEvents(requests: number, each: number, address: string): InsightsEvent[][] {
  const now = Date.now();
  return Array.from({ length: requests }, (_, request) =>
    Array.from({ length: each }, (_, at) => sentEvent(request * each + at, now, address)),
  );
}
