import { methodNotAllowed, notFound } from '../../../shared/errors/errors.js';
import { sha256 } from '../../../shared/values/ids.js';
import type { ReaderAnswer } from '../contract.js';
import { renderAllPages } from '../parts/screens/other-pages.js';
import { renderSearchPage } from '../parts/screens/search-page.js';
import { treeWithCurrent } from '../parts/tree/tree.js';
import { checkRead, redirect } from '../site/answers.js';
import { openSite } from '../site/open-site.js';
import type { ReaderDependencies, SiteRequest } from '../site/reader-context.js';
import { customizationOf } from '../site/site-model.js';
import { searchSite } from '../site/site-search.js';
import { treeEntries } from '../site/site-trees.js';
import { themeSheet } from '../style/theme-sheet.js';
import { takeBeacon, takeFeedback } from '../tracking/beacons.js';
import { track } from '../tracking/track.js';
import { ownPath } from '../visits/own-path.js';
import { signOutVisitor } from '../visits/visitor-cookie.js';
import { pdfAnswer, printAnswer } from './printing/print-answers.js';

type Answer = (deps: ReaderDependencies, asked: SiteRequest) => Promise<ReaderAnswer>;

/** Everything that a site has beside its pages, by the path below a site space. Pages never begin with a tilde. */
const gets: Record<string, Answer> = {
  '~search': searchAnswer,
  '~all': allPagesAnswer,
  '~print': printAnswer,
  '~pdf': pdfAnswer,
  '~gitbook/auth/login': signInAnswer,
  '~gitbook/auth/logout': async (_, asked) => signOutVisitor(asked),
};

const posts: Record<string, Answer> = { '~feedback': takeFeedback, '~insights': takeBeacon };

/** Undefined for an address that is none of these. */
export async function siteAnswer(deps: ReaderDependencies, asked: SiteRequest): Promise<ReaderAnswer | undefined> {
  const { pathname } = asked.visit.shown;
  if (!pathname.startsWith('~')) return undefined;
  const { method } = asked.request;
  const isPost = Object.hasOwn(posts, pathname);
  if (isPost) {
    if (method !== 'POST') throw methodNotAllowed(method, ['POST']);
    checkOrigin(asked);
    return posts[pathname]?.(deps, asked);
  }
  if (Object.hasOwn(gets, pathname)) {
    checkRead(asked.request);
    return gets[pathname]?.(deps, asked);
  }
  return pathname.startsWith('~theme/') ? themeAnswer(asked) : undefined;
}

/** Only pages of the same host may send something. */
function checkOrigin({ request: { headers }, url }: SiteRequest): void {
  const site = headers['sec-fetch-site'];
  const isForeign =
    site !== undefined ? site !== 'same-origin' : headers.origin !== undefined && headers.origin !== url.origin;
  if (isForeign) throw notFound('Path');
}

function themeAnswer({ visit }: SiteRequest): ReaderAnswer {
  const { css, hash } = themeSheet(customizationOf(visit));
  const isAsked = visit.shown.pathname === `~theme/${hash}.css`;
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/css; charset=utf-8',
      'Cache-Control': isAsked ? 'public, max-age=31536000, immutable' : 'no-cache',
    },
    body: css,
    name: `theme-${hash}`,
    kind: 'asset',
  };
}

async function searchAnswer(deps: ReaderDependencies, asked: SiteRequest): Promise<ReaderAnswer> {
  const { url, request } = asked;
  const query = url.searchParams.get('q') ?? '';
  const scope = url.searchParams.get('scope') === 'section' ? 'section' : 'site';
  const { results, isCut } = await searchSite(deps, asked, { query, scope });
  if (request.headers.accept?.includes('application/json')) {
    const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'private, no-cache' };
    return { status: 200, headers, body: JSON.stringify({ query, isCut, results }), kind: 'search' };
  }
  if (query !== '') await track(deps, asked, { type: 'search_type_query', query: query.slice(0, 512) }, url);
  const { model, addresses, headers } = await openSite(deps, asked);
  const tree = await deps.trees.treeOf(asked.visit.visitor);
  const treeHtml = treeWithCurrent(deps.trees.renderedTree(tree, model, addresses), undefined);
  return page(renderSearchPage(model, { query, scope, isCut, results }, treeHtml), headers, 'search');
}

async function allPagesAnswer(deps: ReaderDependencies, asked: SiteRequest): Promise<ReaderAnswer> {
  const { model, addresses, headers } = await openSite(deps, asked);
  const tree = await deps.trees.treeOf(asked.visit.visitor);
  return page(renderAllPages(model, treeEntries(tree.pages, addresses)), headers, 'page');
}

const page = (body: string, headers: Record<string, string>, kind: string): ReaderAnswer => ({
  status: 200,
  headers,
  body,
  name: sha256(body).slice(0, 32),
  kind,
});

/** Leads to where visitors sign in; the page that they come from is where they return to. */
async function signInAnswer(_: ReaderDependencies, { visit, url }: SiteRequest): Promise<ReaderAnswer> {
  const location = url.searchParams.get('location') ?? '/';
  // Who had to sign in to come here is back from there.
  if (visit.visitor.signedBy !== undefined)
    return redirect(303, visit.shown.siteBasePath + ownPath(`/${location}`).slice(1));
  const { login } = visit.site.site.urls;
  if (login === undefined || !URL.canParse(login)) throw notFound('Sign-in');
  const target = new URL(login);
  target.searchParams.set('location', location);
  return redirect(302, target.href);
}
