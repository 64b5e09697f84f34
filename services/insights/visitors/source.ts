import { LRUCache } from 'lru-cache';

/** Where a visitor came from, by the URL of the page and the referrer. */
export interface Source {
  referrer?: string;
  referrerDomain?: string;
  utmSource?: string;
  utmMedium?: string;
  utmCampaign?: string;
  utmTerm?: string;
  utmContent?: string;
}

type Referrer = Pick<Source, 'referrer' | 'referrerDomain'>;

const parameters = {
  utmSource: 'utm_source',
  utmMedium: 'utm_medium',
  utmCampaign: 'utm_campaign',
  utmTerm: 'utm_term',
  utmContent: 'utm_content',
} as const;
const names = Object.keys(parameters) as (keyof typeof parameters)[];

/** Characters of a parameter and of a referrer that are stored. */
const maxParameterLength = 500;
const maxReferrerLength = 2048;

/** By their text: reading a URL takes as long as all the rest of an event. */
const referrers = new LRUCache<string, Referrer>({
  max: 5000,
  // Characters: anybody may send long ones.
  maxSize: 4 * 1024 * 1024,
  sizeCalculation: ({ referrer = '' }, text) => text.length + referrer.length,
});

/** Where the visitor of the page at `url` came from. What cannot be read is left out. */
export function visitSource({ url, referrer }: { url: string; referrer: string | null }): Source {
  const source: Source = { ...(referrer ? cachedReferrer(referrer) : undefined) };
  if (!url.includes('utm_')) return source;
  const query = new URLSearchParams(/^[^?#]*\?([^#]*)/.exec(url)?.[1]);
  for (const name of names) {
    const value = query.get(parameters[name]);
    if (value) source[name] = value.slice(0, maxParameterLength).replace(/[\uD800-\uDBFF]$/, '');
  }
  return source;
}

function cachedReferrer(text: string): Referrer {
  const known = referrers.get(text);
  if (known) return known;
  const referrer = readReferrer(text);
  referrers.set(text, referrer);
  return referrer;
}

function readReferrer(text: string): Referrer {
  if (!URL.canParse(text)) return {};
  const url = new URL(text);
  url.username = '';
  url.password = '';
  url.hash = '';
  const referrerDomain = url.hostname.toLowerCase().replace(/^www\.(?=[^.]+\.)|\.$/g, '');
  return {
    // Escaping makes it longer than what was sent.
    referrer: url.href.length <= maxReferrerLength ? url.href : `${url.protocol}//${url.host}/`,
    ...(referrerDomain ? { referrerDomain } : {}),
  };
}
