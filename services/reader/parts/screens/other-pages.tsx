import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { renderDocument } from '../frame/document.js';
import { searchForm } from '../frame/header.js';
import { iconStyle, link, safeHref, sign } from '../frame/links.js';
import { sidebar } from '../frame/sidebar.js';
import type { SiteModel, TitledLink, TreeEntry } from '../page-model.js';

const maxDepth = 50;

const single = (site: SiteModel, title: string, content: ComponentChildren) =>
  renderDocument(site, {
    head: { title, robots: 'noindex' },
    kind: 'single',
    columns: (
      <div class="frame without-tree without-outline">
        {sidebar(site, undefined)}
        <main id="page:content" tabindex={-1}>
          <h1>{title}</h1>
          {content}
        </main>
      </div>
    ),
  });

/** The page for an address that leads nowhere, with pages that may be meant. */
export function renderNotFound(site: SiteModel, suggestions: TitledLink[]): string {
  const { words } = site;
  return single(site, words.notFoundTitle, [
    <p class="lead">{words.notFoundText}</p>,
    searchForm(site, words.searchTitle),
    suggestions.length > 0 && (
      <section aria-labelledby="suggestions">
        <h2 id="suggestions">{words.didYouMean}</h2>
        <ul class="page-list">
          {suggestions.map(({ title, href }) => (
            <li>{link(site, href, title)}</li>
          ))}
        </ul>
      </section>
    ),
    <p>
      <a class="button button-primary" href={site.home}>
        {words.goHome}
      </a>
    </p>,
  ]);
}

/** Every page of the space, for tables of contents that are too long to be in each page. */
export function renderAllPages(site: SiteModel, entries: TreeEntry[]): string {
  const list = (some: TreeEntry[], depth: number): VNode => (
    <ul class={depth === 0 ? 'page-list' : undefined}>
      {some.map((entry) => (
        <li>
          {link(site, entry.href ?? null, [sign(iconStyle(site), entry), <span>{entry.title}</span>])}
          {entry.children.length > 0 && depth < maxDepth && list(entry.children, depth + 1)}
        </li>
      ))}
    </ul>
  );
  return single(site, site.words.allPages, entries.length > 0 && list(entries, 0));
}

interface Message {
  title: string;
  text: string;
  action?: TitledLink;
}

/** A page that only says something: that the site is unavailable, that access is denied, thanks for feedback. */
export const renderMessagePage = (site: SiteModel, { title, text, action }: Message): string =>
  single(site, title, [
    <p class="lead">{text}</p>,
    action && (
      <p>
        <a class="button button-primary" href={safeHref(action.href)}>
          {action.title}
        </a>
      </p>
    ),
  ]);

interface BareMessage extends Message {
  lang: string;
  dir: 'ltr' | 'rtl';
  /** Address of the common style sheet. */
  css?: string;
  links?: TitledLink[];
}

/** The same where no site is known, such as for the name of a host that nobody publishes at. */
export function renderBarePage({ title, text, action, lang, dir, css, links = [] }: BareMessage): string {
  const all = action ? [action, ...links] : links;
  const html = (
    <html lang={lang} dir={dir} data-theme="">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{title}</title>
        {css && <link rel="stylesheet" href={css} />}
      </head>
      <body class="single bare">
        <main id="page:content">
          <h1>{title}</h1>
          <p class="lead">{text}</p>
          {all.length > 0 && (
            <ul class="page-list">
              {all.map((each) => (
                <li>
                  <a href={safeHref(each.href)}>{each.title}</a>
                </li>
              ))}
            </ul>
          )}
        </main>
      </body>
    </html>
  );
  return `<!doctype html>\n${renderToString(html)}\n`;
}
