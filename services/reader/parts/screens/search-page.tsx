import type { VNode } from 'preact';
import { splitAtWords } from '../../browser/query-words.js';
import { fillIn } from '../../words/languages.js';
import { renderDocument } from '../frame/document.js';
import { iconStyle, safeHref, sign } from '../frame/links.js';
import { sidebar } from '../frame/sidebar.js';
import type { SearchResult, SearchResults, SiteModel } from '../page-model.js';

/** Characters of a text in which words are marked; the rest is not shown. */
const maxHighlighted = 2000;

const highlight = (text: string, query: string): (VNode | string)[] =>
  splitAtWords(text.slice(0, maxHighlighted), query).map((part, at) => (at % 2 === 1 ? <mark>{part}</mark> : part));

function result(site: SiteModel, found: SearchResult, query: string): VNode {
  return (
    <li class="result">
      <h2>
        <a href={safeHref(found.href)}>
          {sign(iconStyle(site), found)}
          <span>{highlight(found.title, query)}</span>
        </a>
      </h2>
      {found.crumbs && found.crumbs.length > 0 && (
        <p class="crumbs">{fillIn(site.words.resultIn, found.crumbs.join(' › '))}</p>
      )}
      {found.body && <p>{highlight(found.body, query)}</p>}
      {found.sections.length > 0 && (
        <ul>
          {found.sections.map(({ title, href, body }) => (
            <li>
              <a href={safeHref(href)}>{highlight(title, query)}</a>
              {body && <p>{highlight(body, query)}</p>}
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

function scopes({ words, sections }: SiteModel, chosen: SearchResults['scope']): VNode | null {
  if (sections.length < 2) return null;
  const choice = (scope: SearchResults['scope'], title: string) => (
    <label>
      <input type="radio" name="scope" value={scope} checked={scope === chosen} /> {title}
    </label>
  );
  return (
    <fieldset class="scopes">
      <legend class="visually-hidden">{words.search}</legend>
      {choice('site', words.searchScopeSite)}
      {choice('section', words.searchScopeSection)}
    </fieldset>
  );
}

const count = ({ words, lang }: SiteModel, { query, isCut, results }: SearchResults) =>
  results.length === 0
    ? fillIn(words.noResults, query)
    : fillIn(words.results, new Intl.NumberFormat(lang).format(results.length) + (isCut ? '+' : ''));

/** The page of results, for those without script and for links. */
export function renderSearchPage(site: SiteModel, found: SearchResults, tree = ''): string {
  const { words, basePath } = site;
  const { query, results } = found;
  const title = query === '' ? words.search : `${words.searchTitle}: ${query}`;
  return renderDocument(site, {
    head: { title, robots: 'noindex' },
    kind: 'search',
    columns: (
      <div class={tree === '' ? 'frame without-tree without-outline' : 'frame without-outline'}>
        {sidebar(site, tree === '' ? undefined : tree)}
        <main id="page:content" tabindex={-1}>
          <h1>{words.searchTitle}</h1>
          <form class="search-again" action={`${basePath}~search`}>
            <input
              type="search"
              name="q"
              value={query}
              aria-label={words.search}
              placeholder={words.searchPlaceholder}
            />
            <button type="submit" class="button button-primary">
              {words.search}
            </button>
            {scopes(site, found.scope)}
          </form>
          {query !== '' && <p role="status">{count(site, found)}</p>}
          {results.length > 0 && <ol class="results">{results.map((each) => result(site, each, query))}</ol>}
        </main>
      </div>
    ),
  });
}
