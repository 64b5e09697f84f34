import { headerUrl } from './links.js';

export interface CrawlPolicy {
  visibility: 'public' | 'unlisted' | 'share-link' | 'visitor-auth';
  sitemapUrl: string;
  /** Whether the site wants to be found by search engines. */
  indexed: boolean;
  /**
   * Uses of the content that the owner allows or forbids (https://contentsignals.org). What is absent is neither granted nor forbidden: training
   * is for the owner to decide, and not for us.
   */
  signals?: { search?: boolean; aiInput?: boolean; aiTrain?: boolean } | undefined;
}

/** Addresses without an end, such as those of searches, and those that are not for reading. */
const uncrawled = ['search', 'print', 'all', 'feedback', 'mcp'];

const closed = 'User-agent: *\nDisallow: /\n';

function signalLine({ search = true, aiInput = true, aiTrain }: NonNullable<CrawlPolicy['signals']>): string {
  const uses = Object.entries({ search, 'ai-input': aiInput, 'ai-train': aiTrain });
  const said = uses.flatMap(([use, allowed]) => (allowed === undefined ? [] : `${use}=${allowed ? 'yes' : 'no'}`));
  return `Content-Signal: ${said.join(', ')}`;
}

/** `robots.txt` of a site. Only a public one is open to crawlers. */
export function robotsTxt({ visibility, sitemapUrl, indexed, signals = {} }: CrawlPolicy): string {
  if (visibility !== 'public' || !indexed) return closed;
  const sitemap = headerUrl(sitemapUrl);
  const lines = [
    'User-agent: *',
    signalLine(signals),
    'Allow: /',
    ...uncrawled.flatMap((name) => [`Disallow: /~${name}`, `Disallow: /*/~${name}`]),
    ...(sitemap === undefined ? [] : ['', `Sitemap: ${sitemap}`]),
  ];
  return `${lines.join('\n')}\n`;
}
