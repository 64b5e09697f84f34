import type { Assets } from '../../../shared/assets/open-assets.js';
import type { ReaderAnswer } from '../contract.js';
import type { TitledLink } from '../parts/page-model.js';
import { renderBarePage, renderMessagePage, renderNotFound } from '../parts/screens/other-pages.js';
import { assetsPath } from '../site/asset-addresses.js';
import { openSite } from '../site/open-site.js';
import { barePolicy } from '../site/policy.js';
import type { ReaderDependencies, SiteRequest } from '../site/reader-context.js';
import { searchSite } from '../site/site-search.js';
import { english } from '../words/english.js';
import { redirectAt } from './site-redirects.js';

const html = 'text/html; charset=utf-8';

/** A page where no site is known, or none can be asked for. */
export function bareAnswer(
  { assets, rootPath }: { assets: Assets; rootPath: string },
  status: number,
  retryAfter = 1,
): ReaderAnswer {
  const isMissing = status === 404 || status === 414;
  const [title, text] = isMissing
    ? [english.notFoundTitle, english.notFoundText]
    : status === 401
      ? [english.accessDeniedTitle, english.accessDeniedText]
      : [english.unavailableTitle, english.unavailableText];
  const css = rootPath + assetsPath + assets.css.path;
  return {
    status,
    headers: {
      'Content-Type': html,
      'Content-Security-Policy': barePolicy,
      'Cache-Control': 'no-store',
      ...(status >= 500 || status === 429 ? { 'Retry-After': String(retryAfter) } : {}),
    },
    body: renderBarePage({ title, text, lang: 'en', dir: 'ltr', css }),
    kind: isMissing ? 'missing' : 'refused',
  };
}

/** A page of the site that says why there is none. */
export async function messageAnswer(
  deps: ReaderDependencies,
  asked: SiteRequest,
  status: number,
): Promise<ReaderAnswer> {
  const { model, headers } = await openSite(deps, asked);
  const { words } = model;
  const text = { title: words.unavailableTitle, text: words.unavailableText };
  return {
    status,
    headers: { ...headers, 'Cache-Control': 'no-store', 'Retry-After': '1' },
    body: renderMessagePage(model, text),
    kind: 'refused',
  };
}

/** Suggestions on a page that says that there is none. */
const maxSuggestions = 5;
/** Words of a path that are looked for, and their characters together. */
const maxWords = 4;
const maxQuery = 100;

/** Where the path of a page that is gone leads, or a page that says so. */
export async function missingAnswer(deps: ReaderDependencies, asked: SiteRequest): Promise<ReaderAnswer> {
  const target = await redirectAt(deps, asked);
  if (target) return target;
  const { model, headers } = await openSite(deps, asked);
  const suggestions = await suggestionsFor(deps, asked);
  return {
    status: 404,
    headers: { ...headers, 'Cache-Control': 'no-store' },
    body: renderNotFound(model, suggestions),
    kind: 'missing',
  };
}

/** Paths that suggestions are looked up for at once: a flood of paths that lead nowhere takes no search from readers. */
const maxLooks = 2;
let looks = 0;

async function suggestionsFor(deps: ReaderDependencies, asked: SiteRequest): Promise<TitledLink[]> {
  if (looks >= maxLooks) return [];
  looks += 1;
  try {
    return await findSuggestions(deps, asked);
  } finally {
    looks -= 1;
  }
}

/** Pages with all words of the path, or with those of its last part, or with the longest of them. */
async function findSuggestions(deps: ReaderDependencies, asked: SiteRequest): Promise<TitledLink[]> {
  const parts = asked.visit.shown.pathname.split('/').map(wordsIn);
  const last = parts.at(-1) ?? [];
  const tried = [parts.flat(), last, longest(last)].map((words) => words.slice(-maxWords).join(' ').slice(0, maxQuery));
  for (const query of new Set(tried.filter((each) => each !== ''))) {
    const found = await searchSite(deps, asked, { query, scope: 'site' }).catch(() => undefined);
    if (found && found.results.length > 0)
      return found.results.slice(0, maxSuggestions).map(({ title, href }) => ({ title, href }));
  }
  return [];
}

const longest = (words: string[]): string[] => words.toSorted((one, other) => other.length - one.length).slice(0, 1);

const wordsIn = (segment: string): string[] => segment.split(/[_.\s-]+/).filter((word) => word.length > 2);
