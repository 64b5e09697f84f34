import { setTimeout as pause } from 'node:timers/promises';
import { failureOf, isExpected } from '../../../shared/errors/errors.js';
import { scaleMs } from '../../../shared/settings/time-scale.js';
import { sha256 } from '../../../shared/values/ids.js';
import type { ReaderAnswer, ReaderRequest } from '../contract.js';
import { feedAnswer } from '../machines/feed-answers.js';
import { encodedPath } from '../marks/fill-marks.js';
import { checkRead, isRead, redirect } from '../site/answers.js';
import { assetsPath } from '../site/asset-addresses.js';
import type { ReaderDependencies, SiteRequest } from '../site/reader-context.js';
import type { VisitOutcome } from '../visits/visit.js';
import { forgetVisitor, rememberVisitor } from '../visits/visitor-cookie.js';
import { type VisitorInput, visitorInputOf, withoutVisitor } from '../visits/visitor-input.js';
import { assetAnswer } from './asset-answers.js';
import type { PageAnswers } from './page-answers.js';
import { spacePdfAnswer } from './printing/print-answers.js';
import { bareAnswer, messageAnswer, missingAnswer } from './refusals.js';
import { siteAnswer } from './site-answers.js';

/** Where the PDFs are that the API gives addresses of. */
const pdfPath = `${assetsPath}pdf`;
/** Longer addresses lead nowhere. */
const maxUrl = 2048;

/** Answers requests for sites: pages, and what is beside them. */
export class Reader {
  private readonly basePath: string;
  private readonly baseHost: string;

  constructor(
    private readonly deps: ReaderDependencies,
    private readonly pages: PageAnswers,
  ) {
    const { pathname, hostname } = new URL(deps.config.baseUrl);
    this.basePath = pathname.replace(/\/+$/, '');
    this.baseHost = hostname;
  }

  async answer(request: ReaderRequest): Promise<ReaderAnswer> {
    const url = new URL(request.url);
    const known = new URL(request.known ?? request.url);
    const isOnBase = known.hostname === this.baseHost;
    const rootPath = isOnBase ? this.basePath : '';
    const asset = url.pathname.slice(rootPath.length);
    const bare = { assets: this.deps.assets, rootPath };
    if (url.pathname.length > maxUrl) return bareAnswer(bare, 404);
    if (request.url.length > maxUrl * 4) return bareAnswer(bare, 414);
    if (asset.startsWith(assetsPath) && asset !== pdfPath) {
      checkRead(request);
      return assetAnswer(this.deps.assets, asset.slice(assetsPath.length));
    }
    try {
      if (asset === pdfPath) {
        checkRead(request);
        return await spacePdfAnswer(this.deps, { url, known, rootPath });
      }
      return await this.answerSite(request, { url, known, rootPath, isOnBase });
    } catch (error) {
      const failure = failureOf(error);
      if (failure.status < 500 && failure.status !== 429) throw error;
      this.note(error, request);
      return bareAnswer(
        bare,
        shownStatus(failure.status),
        (error as { data?: { retryAfter?: number } }).data?.retryAfter,
      );
    }
  }

  private async answerSite(request: ReaderRequest, place: Place): Promise<ReaderAnswer> {
    const { url } = place;
    const visitor = visitorInputOf(url, request.headers.cookie);
    const plain = place.known.origin + place.known.pathname;
    const address = sha256(JSON.stringify([url.origin, plain, visitor.given]));
    const mayBeLast = isRead(request) && !this.deps.visits.knows(address);
    const last = mayBeLast ? this.pages.lastPage(address) : undefined;
    const looked = this.outcomeOf({ address, plain, visitor });
    const outcome = last ? await soonOr(looked, last) : await looked;
    if ('stale' in outcome) return marked(outcome.stale);
    const { found, isForgotten } = outcome;
    if ('redirect' in found) {
      // What was sent is not for where visitors sign in.
      if (found.target === 'external' && !isRead(request)) return this.refuse(401, place);
      return redirectOf(found, url);
    }
    if ('refused' in found) return this.publishedInstead(found.refused, place) ?? this.refuse(found.refused, place);
    const asked: SiteRequest = {
      request,
      ...place,
      visitor: isForgotten ? anonymousVisitor : visitor,
      visit: found.visit,
    };
    if (visitor.tokenInAddress !== undefined && found.visit.visitor.signedBy !== undefined)
      return rememberVisitor(asked, visitor.tokenInAddress, withoutVisitor(url));
    const answer = await this.answerVisit(address, asked);
    return isForgotten ? forgetVisitor(answer, asked) : answer;
  }

  /** A token in a cookie that is good no more is as none, and so are claims that are too many. */
  private async outcomeOf({ address, plain, visitor }: Looked): Promise<{ found: VisitOutcome; isForgotten: boolean }> {
    const { visits } = this.deps;
    const found = await visits.outcomeOf(address, plain, visitor);
    const { unsignedClaims, ...signed } = visitor.given;
    if ('refused' in found && found.refused === 400 && unsignedClaims !== undefined)
      return this.outcomeOf({ address: `${address} unclaimed`, plain, visitor: { ...visitor, given: signed } });
    const mayBeStale = visitor.given.jwtToken !== undefined && visitor.tokenInAddress === undefined;
    const isTurnedAway =
      'refused' in found ? found.refused === 401 : 'redirect' in found && found.target === 'external';
    if (!mayBeStale || !isTurnedAway) return { found, isForgotten: false };
    const without = { ...visitor, given: { ...visitor.given, jwtToken: undefined } };
    return { found: await visits.outcomeOf(`${address} anonymous`, plain, without), isForgotten: true };
  }

  private async answerVisit(address: string, asked: SiteRequest): Promise<ReaderAnswer> {
    const { request, url, visit } = asked;
    const { shown } = visit;
    const own = await this.besidePages(asked);
    if (own) return own;
    checkRead(request);
    const expected = shown.basePath + encodedPath(shown.pathname);
    if (expected.endsWith('/') !== url.pathname.endsWith('/') || url.pathname.includes('//'))
      return redirect(308, expected + url.search);
    try {
      const last = this.pages.knows(address, asked) ? undefined : this.pages.lastPage(address);
      const made = this.pages.pageOf(address, asked).then((page) => ({ page }));
      const found = last ? await soonOr(made, last) : await made;
      if ('stale' in found) return marked(found.stale);
      return found.page ?? (await missingAnswer(this.deps, asked));
    } catch (error) {
      if (failureOf(error).status < 500) throw error;
      this.note(error, request);
      return messageAnswer(this.deps, asked, shownStatus(failureOf(error).status));
    }
  }

  /** A visitor is told nothing of a fault of ours, so that the log is the only place for it. */
  private note(err: unknown, { url }: ReaderRequest): void {
    if (!isExpected(err)) this.deps.log.error({ err, url: url.split('?', 1)[0] }, 'a page of a site could not be made');
  }

  private async besidePages(asked: SiteRequest): Promise<ReaderAnswer | undefined> {
    try {
      return (await siteAnswer(this.deps, asked)) ?? (await feedAnswer(this.deps, asked));
    } catch (error) {
      if (!isRead(asked.request) || failureOf(error).status !== 404) throw error;
      return missingAnswer(this.deps, asked);
    }
  }

  /** The address where an API token previews a site leads others to the site as it is published. */
  private publishedInstead(status: number, { known, rootPath }: Place): ReaderAnswer | undefined {
    const [, site, rest = '/'] = previewOfSite.exec(known.pathname.slice(rootPath.length)) ?? [];
    return status === 401 && site !== undefined
      ? redirect(307, `${this.deps.config.baseUrl}/sites/${site}${rest}`)
      : undefined;
  }

  private refuse(refused: 400 | 401 | 404, { rootPath, isOnBase }: Place): ReaderAnswer {
    const status = refused === 401 ? 401 : 404;
    const bare = bareAnswer({ assets: this.deps.assets, rootPath }, status);
    return status === 404 && !isOnBase ? { ...bare, unknownHost: true } : bare;
  }
}

const previewOfSite = /^(?:\/preview)?\/(site_[0-9a-z]+)(\/.*)?$/i;

interface Place {
  url: URL;
  known: URL;
  rootPath: string;
  isOnBase: boolean;
}

interface Looked {
  address: string;
  plain: string;
  visitor: VisitorInput;
}

const anonymousVisitor: VisitorInput = { given: {}, isAnonymous: true };

/** A service behind that is late is as one that is away: the reader is no proxy. */
const shownStatus = (status: number): number => (status === 504 ? 503 : status);

/** Milliseconds that a reader waits for the services behind where there is a page from before. */
const patienceMs = scaleMs(1_500);

/** The answer that comes soon; else the page from before, which then may be out of date. Throws what is no outage. */
async function soonOr<T>(coming: Promise<T>, last: ReaderAnswer): Promise<T | { stale: ReaderAnswer }> {
  const waiting = new AbortController();
  const late = pause(patienceMs, { stale: last }, { signal: waiting.signal });
  try {
    return await Promise.race([coming, late]);
  } catch (error) {
    if (failureOf(error).status < 500) throw error;
    return { stale: last };
  } finally {
    waiting.abort();
    late.catch(() => {});
    coming.catch(() => {});
  }
}

/** A page that may be out of date, as nobody can say. */
const marked = (answer: ReaderAnswer): ReaderAnswer => ({
  ...answer,
  headers: { ...answer.headers, 'Cache-Control': 'no-cache', Warning: '111 - "Revalidation Failed"' },
});

/** Elsewhere on the same site, a token in the address is still to be taken. */
function redirectOf(found: Extract<VisitOutcome, { redirect: string }>, { search }: URL): ReaderAnswer {
  if (found.target === 'external') return redirect(307, found.redirect);
  const target = new URL(found.redirect);
  target.search = search;
  return redirect(308, target.href);
}
