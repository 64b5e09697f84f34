import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { WordKey } from '../../words/words.js';
import type { SiteModel } from '../page-model.js';
import { footer } from './footer.js';
import { announcement, header, notice } from './header.js';
import { safeHref } from './links.js';
import { themeScript } from './theme-script.js';

/** Facts of a page for browsers and search engines. */
export interface DocumentHead {
  title: string;
  description?: string;
  /** Absolute. */
  canonical?: string;
  alternates?: { lang: string; href: string }[];
  robots?: string;
  socialImage?: string;
  markdown?: string;
  rss?: string;
  kind?: 'article' | 'website';
  modifiedAt?: string;
}

interface Frame {
  head: DocumentHead;
  /** Class of `<body>`. */
  kind: string;
  /** Before the columns, across the whole width. */
  banner?: ComponentChildren;
  /** The columns: sidebar, `main`, outline. */
  columns: ComponentChildren;
  /** Facts that the script reads beside those of the site. */
  facts?: Record<string, unknown>;
  /** Left out for print. */
  plain?: boolean;
}

/** The words that the browser script shows. */
const scriptWords = [
  'copy',
  'copied',
  'copyLink',
  'zoom',
  'close',
  'clear',
  'search',
  'searchPlaceholder',
  'noResults',
  'results',
  'searchFailed',
  'searchScopeSite',
  'searchScopeSection',
  'resultIn',
  'keySelect',
  'keyNavigate',
  'keyClose',
  'loading',
  'error',
  'tableFilter',
  'feedbackThanks',
  'feedbackComment',
  'send',
  'cookiesText',
  'accept',
  'reject',
  'privacyPolicy',
] as const satisfies readonly WordKey[];

function factsOf(site: SiteModel, more: Record<string, unknown> = {}): string {
  const { words, basePath, customization, insights, sections } = site;
  return JSON.stringify({
    base: basePath,
    words: Object.fromEntries(scriptWords.map((key) => [key, words[key]])),
    insights: insights || undefined,
    // Whoever is asked must be able to read what for.
    cookie:
      (customization.insights.trackingCookie && safeHref(customization.privacyPolicy.url) !== undefined) || undefined,
    privacy: safeHref(customization.privacyPolicy.url),
    scopes: sections.length > 1 || undefined,
    ...more,
  });
}

const meta = (name: string, content: string | undefined) => (content ? <meta name={name} content={content} /> : null);
const property = (name: string, content: string | undefined) =>
  content ? <meta property={name} content={content} /> : null;

function icons({ favicon: { light, dark } }: SiteModel) {
  if (dark === undefined || dark === light) return <link rel="icon" href={safeHref(light)} />;
  return [
    <link rel="icon" href={safeHref(light)} media="(prefers-color-scheme: light)" />,
    <link rel="icon" href={safeHref(dark)} media="(prefers-color-scheme: dark)" />,
  ];
}

function links(head: DocumentHead) {
  const alternates = head.alternates?.map(({ lang, href }) => (
    <link rel="alternate" hreflang={lang} href={safeHref(href)} />
  ));
  return [
    head.canonical && <link rel="canonical" href={safeHref(head.canonical)} />,
    alternates,
    head.markdown && <link rel="alternate" type="text/markdown" href={safeHref(head.markdown)} />,
    head.rss && <link rel="alternate" type="application/rss+xml" href={safeHref(head.rss)} />,
  ];
}

function social(site: SiteModel, head: DocumentHead) {
  const { customization } = site;
  const image = head.socialImage ?? customization.socialPreview.url;
  return [
    property('og:title', head.title),
    property('og:description', head.description),
    property('og:site_name', site.title),
    property('og:type', head.kind ?? 'website'),
    property('og:url', head.canonical),
    property('og:image', image),
    property('og:locale', site.lang.replace('-', '_')),
    property('article:modified_time', head.modifiedAt),
    meta('twitter:card', image ? 'summary_large_image' : 'summary'),
  ];
}

function headOf(site: SiteModel, head: DocumentHead, facts: string): VNode {
  const { css, theme, script, fonts = [] } = site.assets;
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{head.title === site.title ? site.title : `${head.title} | ${site.title}`}</title>
      {meta('description', head.description)}
      {meta('robots', head.robots)}
      {meta('generator', 'Bindery')}
      {!site.isCopy && [
        <meta name="bindery" content={facts} />,
        <script dangerouslySetInnerHTML={{ __html: themeScript }} />,
        fonts.map((font) => <link rel="preload" as="font" type="font/woff2" crossorigin="anonymous" href={font} />),
      ]}
      <link rel="stylesheet" href={css} />
      <link rel="stylesheet" href={theme} />
      {!site.isCopy && <script defer src={script} />}
      {site.scripts?.map((src) => (
        <script async src={safeHref(src)} />
      ))}
      {icons(site)}
      {links(head)}
      {social(site, head)}
    </head>
  );
}

/** Renders a whole document: head, and what surrounds the columns of every page of a site. */
export function renderDocument(site: SiteModel, { head, kind, banner, columns, facts, plain }: Frame): string {
  const { themes } = site.customization;
  const html = (
    <html {...site.attributes} data-toggle={themes.toggeable ? 'on' : undefined} lang={site.lang} dir={site.dir}>
      {headOf(site, head, factsOf(site, facts))}
      <body class={kind}>
        {!plain && (
          <a class="skip-link" href="#page:content">
            {site.words.skipToContent}
          </a>
        )}
        {!plain && announcement(site)}
        {!plain && notice(site)}
        {!plain && header(site)}
        {banner}
        {columns}
        {!plain && footer(site)}
      </body>
    </html>
  );
  return `<!doctype html>\n${renderToString(html)}\n`;
}
