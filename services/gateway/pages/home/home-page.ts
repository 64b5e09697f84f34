import { version } from '../../../../shared/process/version.js';
import { escapeHtml } from '../../../../shared/text/escaped-html.js';
import type { PublicSite } from '../../../sites/contract.js';
import { policyFor } from '../html-page.js';
import { type Icon, iconOf, logo, sketchOfSite } from './home-art.js';
import { homeStyle } from './home-style.js';

export const summary = 'A self-hosted documentation platform behind one HTTP JSON API.';

export interface HomeOptions {
  baseUrl: string;
  /** The path of `baseUrl` without a trailing slash. */
  basePath: string;
  /** Whether this server shows sites as pages. */
  reader: boolean;
}

/** The sites that are published on this server; null while nobody knows. */
export type Published = { items: PublicSite[]; more: boolean } | null;

export const homePolicy = policyFor(homeStyle, "'none'");

interface Card {
  /** HTML. */
  tile: string;
  href: string;
  name: string;
  text: string;
  /** Where it is, for people. */
  place?: string;
}

const cardHtml = ({
  tile,
  href,
  name,
  text,
  place,
}: Card) => `<li class="card"><span class="tile" aria-hidden="true">${tile}</span><div>
<h3><a href="${escapeHtml(href)}"><bdi>${escapeHtml(name)}</bdi></a></h3>
<p><bdi>${escapeHtml(text)}</bdi></p>${place === undefined ? '' : `\n<p class="place">${escapeHtml(place)}</p>`}
</div></li>`;

const cardsHtml = (cards: Card[]) => `<ul class="cards">\n${cards.map(cardHtml).join('\n')}\n</ul>`;

/** The address of a site; its path alone where it is on this server, whatever name a browser has for that. */
const hrefOf = (url: string, { baseUrl, basePath }: HomeOptions): string =>
  url.startsWith(`${baseUrl}/`) ? basePath + url.slice(baseUrl.length) : url;

const placeOf = (url: string): string => url.replace(/^https?:\/\//, '').replace(/\/$/, '');

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The sign of a site: its emoji, else its first letter. */
function tileOf({ title, emoji }: PublicSite): string {
  const points = /^[0-9a-f]{2,6}(-[0-9a-f]{1,6})*$/i.test(emoji ?? '') ? (emoji ?? '').split('-', 20) : undefined;
  const isCharacter = (point: number) => point >= 0x20 && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff);
  const text = points
    ? String.fromCodePoint(...points.map((point) => Number.parseInt(point, 16)).filter(isCharacter))
    : (emoji ?? title.trim());
  const [first] = characters.segment(text);
  return escapeHtml((first?.segment ?? '').slice(0, 40).toUpperCase());
}

function publishedHtml({ items, more }: NonNullable<Published>, options: HomeOptions): string {
  const cards = items.map(
    (site): Card => ({
      tile: tileOf(site),
      href: hrefOf(site.url, options),
      name: site.title,
      text: site.organization,
      place: placeOf(site.url),
    }),
  );
  const list =
    cards.length === 0
      ? '<p class="empty">Nothing yet. A site is here as soon as it is published for everybody.</p>'
      : cardsHtml(cards);
  return `<section aria-labelledby="published">
<h2 id="published">Published here</h2>
<p>Documentation that everybody may read.</p>
${list}${more ? '\n<p class="note">And more.</p>' : ''}
</section>
`;
}

function signInHtml({ basePath, baseUrl }: HomeOptions): string {
  return `<section aria-labelledby="sign-in">
<h2 id="sign-in">Sign in</h2>
<p>People work in the app, programs with an API token.</p>
<div class="ways">
<div class="way">
<h3>In the browser</h3>
<p>Read, write, review and publish. The first start prints a link that signs you in.</p>
<a class="button" href="${escapeHtml(basePath)}/app">Open the app</a>
</div>
<div class="way">
<h3>With a token</h3>
<p>Make one in the app, under your account. On the machine of the server this command makes one too:</p>
<pre tabindex="0" role="region" aria-label="Command that makes a token"><code>npm run token -- create --email &lt;address of a user&gt;</code></pre>
</div>
<div class="way">
<h3>Call the API</h3>
<p>It is below <code>${escapeHtml(basePath)}/v1</code>. Send the token with each request:</p>
<pre tabindex="0" role="region" aria-label="Command that calls the API"><code>curl -H 'Authorization: Bearer &lt;token&gt;' \\
  ${escapeHtml(baseUrl)}/v1/user</code></pre>
</div>
</div>
</section>
`;
}

/** Where to go on from here. */
function placesOf({ basePath }: HomeOptions): Card[] {
  const card = (icon: Icon, path: string, [name, text]: [string, string]): Card => ({
    tile: iconOf(icon),
    href: basePath + path,
    name,
    text,
  });
  return [
    card('code', '/docs', ['API reference', 'Every operation, to try with a token.']),
    card('tour', '/handbook/tour', ['Five-minute tour', 'From nothing to a searched repository.']),
    card('book', '/handbook', ['Handbook', 'How to use, run and change Bindery.']),
    card('file', '/openapi.json', ['OpenAPI document', 'The same, for programs.']),
    card('check', '/handbook/api/compatibility', ['Compatibility', 'How much of the public GitBook API is here.']),
    card('pulse', '/readyz', ['Readiness', 'Whether every service reaches its stores.']),
  ];
}

/** The buttons at the top: what can be read here comes first. */
function actionsHtml(published: Published, options: HomeOptions): string {
  const { basePath } = options;
  const [first, second] = published?.items ?? [];
  const read = second
    ? { href: '#published', text: 'Browse the documentation' }
    : { href: first ? hrefOf(first.url, options) : `${basePath}/handbook`, text: 'Read the documentation' };
  const others = [
    { href: `${basePath}/app`, text: 'Open the app' },
    { href: `${basePath}/docs`, text: 'API reference' },
  ];
  return [
    `<a class="button main" href="${escapeHtml(read.href)}">${read.text}</a>`,
    ...others.map(({ href, text }) => `<a class="button" href="${escapeHtml(href)}">${text}</a>`),
  ].join('\n');
}

/** The sites that a browser finds: without a reader there are none at the address of this server. */
const withReachable = (published: Published, { baseUrl, reader }: HomeOptions): Published =>
  published && {
    ...published,
    items: published.items.filter(({ url }) => reader || !url.startsWith(`${baseUrl}/sites/`)),
  };

/** The whole of the first page. */
export function homePage(given: Published, options: HomeOptions): string {
  const base = escapeHtml(options.basePath);
  const published = withReachable(given, options);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Documentation server – Bindery</title>
<meta name="description" content="${summary}">
<style>${homeStyle}</style>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="hero"><div class="wide">
<div>
<div class="brand">${logo}<h1>Bindery</h1><span class="version">Version ${escapeHtml(version)}</span></div>
<p class="tagline">Documentation that runs on your own machine.</p>
<p class="lead">${summary} Pages, change requests, search and published sites: no other service is needed.</p>
<div class="actions">
${actionsHtml(published, options)}
</div>
</div>
${sketchOfSite}
</div></header>
<main id="main" class="wide">
${published === null ? '' : publishedHtml(published, options)}<section aria-labelledby="start">
<h2 id="start">Start here</h2>
${cardsHtml(placesOf(options))}
</section>
${signInHtml(options)}</main>
<footer class="wide"><div class="facts">
<a href="${base}/openapi.yaml">OpenAPI as YAML</a>
<a href="${base}/handbook/operations/running">Run a server</a>
<a href="${base}/handbook/contributing">Contribute</a>
</div></footer>
</body>
</html>
`;
}
