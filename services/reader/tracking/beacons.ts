import { z } from 'zod';
import { invalid } from '../../../shared/errors/errors.js';
import type { ReaderAnswer } from '../contract.js';
import { redirect } from '../site/answers.js';
import type { ReaderDependencies, SiteRequest } from '../site/reader-context.js';
import { ownPath } from '../visits/own-path.js';
import { track, type VisitorEvent } from './track.js';

const text = (max: number) => z.string().max(max);
const places = { header: 'header', footer: 'footer', aside: 'sidebar', nav: 'sidebar', main: 'content' } as const;

/** A report of the script of a page. */
const beaconSchema = z.object({
  type: z.enum(['page_view', 'search_open', 'search_type_query', 'search_open_result', 'link_click']),
  page: text(100).optional(),
  path: text(2048).optional(),
  referrer: text(2048).optional(),
  query: text(512).optional(),
  result: z.object({ spaceId: text(100), pageId: text(100) }).optional(),
  href: text(2048).optional(),
  place: text(20).optional(),
});

const done: ReaderAnswer = { status: 204, headers: { 'Cache-Control': 'no-store' }, kind: 'insights' };

/** Takes a report of a page. Only pages of this host may send one. */
export async function takeBeacon(deps: ReaderDependencies, asked: SiteRequest): Promise<ReaderAnswer> {
  const sent = beaconSchema.safeParse(jsonOf(asked.request.body));
  if (!sent.success) throw invalid('body: not an event of a page');
  const { type, page, path = '/', query = '', result, href, place = '' } = sent.data;
  const own = ownFields({ type, query, result, href, place });
  const pageUrl = URL.canParse(path, asked.url.href) ? new URL(path, asked.url.origin) : asked.url;
  const event: VisitorEvent = { type, ...own, ...(page === undefined ? {} : { page }) };
  if (own && pageUrl.origin === asked.url.origin) await track(deps, asked, event, pageUrl);
  return done;
}

interface Sent {
  type: z.output<typeof beaconSchema>['type'];
  query: string;
  result: { spaceId: string; pageId: string } | undefined;
  href: string | undefined;
  place: string;
}

/** The fields of an event beside those that all have; undefined for one that lacks something. */
function ownFields({ type, query, result, href, place }: Sent): Record<string, unknown> | undefined {
  if (type === 'search_type_query') return query === '' ? undefined : { query };
  if (type === 'search_open_result') return result ? { query, result } : undefined;
  if (type !== 'link_click') return {};
  if (!href) return undefined;
  const position = Object.hasOwn(places, place) ? places[place as keyof typeof places] : 'content';
  return { link: { target: { kind: 'url', url: href }, position } };
}

const feedbackSchema = z.object({
  page: text(100).optional(),
  rating: z.enum(['bad', 'neutral', 'ok', 'good']).optional(),
  comment: text(2000).optional(),
});

/** Takes the form that asks whether a page helped. */
export async function takeFeedback(deps: ReaderDependencies, asked: SiteRequest): Promise<ReaderAnswer> {
  const { request, url } = asked;
  const fields = Object.fromEntries(new URLSearchParams(request.body ?? ''));
  const sent = feedbackSchema.safeParse({ ...fields, rating: fields.rating || undefined });
  if (!sent.success) throw invalid('rating: must be bad, neutral or good');
  const { page, rating, comment } = sent.data;
  const from = refererOf(asked);
  const about = page === undefined ? {} : { page };
  const shown = rating === 'neutral' ? 'ok' : (rating ?? 'ok');
  if (rating && !comment)
    await track(deps, asked, { type: 'page_post_feedback', feedback: { rating: shown }, ...about }, from);
  const said = comment?.trim().slice(0, 512);
  if (said)
    await track(
      deps,
      asked,
      { type: 'page_post_feedback_comment', feedback: { rating: shown, comment: said }, ...about },
      from,
    );
  if (request.headers.accept?.includes('application/json')) return done;
  return redirect(303, from.origin === url.origin ? ownPath(from.pathname) + from.search : asked.visit.shown.basePath);
}

/** The page that a form was sent from, where it is of this host. */
function refererOf({ request, url, visit }: SiteRequest): URL {
  const { referer = '' } = request.headers;
  const from = URL.canParse(referer) ? new URL(referer) : undefined;
  return from?.origin === url.origin ? from : new URL(visit.shown.basePath, url.origin);
}

function jsonOf(body = ''): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
