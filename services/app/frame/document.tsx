import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { Assets } from '../../../shared/assets/open-assets.js';
import type { User } from '../../identity/resources.js';
import { Menu, Notice, sign } from '../elements/elements.js';
import { Form } from '../elements/forms.js';
import { fill } from '../words/languages.js';
import type { DoneKey, Words } from '../words/words.js';
import type { Addresses } from './addresses.js';
import type { Refusal, View } from './screen.js';

/** The frame of a screen. */
export interface Surroundings {
  words: Words;
  locale: string;
  /** `light`, `dark`, or empty for as the system. */
  theme: string;
  to: Addresses;
  assets: Assets;
  assetsPath: string;
  formToken: string;
  /** Notifications that the person has not read. */
  unread: number;
  /** Absent where nobody is signed in. */
  user?: User;
  /** The address of the search of the organization that is shown. */
  search?: string;
  done?: DoneKey;
  refused?: Refusal | undefined;
}

/** Renders the whole document of a screen. */
export function renderScreen(view: View, around: Surroundings): string {
  const { words, locale, theme, to, refused, done } = around;
  const html = (
    <html lang={locale} dir="ltr" data-theme={theme || undefined}>
      {headOf(view, around)}
      <body class={view.sidebar ? 'with-sidebar' : undefined}>
        <a class="skip-link" href="#content">
          {words.frame.skipToContent}
        </a>
        {header(around, view)}
        <div class="screen-columns">
          {view.sidebar && (
            <details class="sidebar" open>
              <summary class="button">{words.frame.menu}</summary>
              <nav aria-label={words.frame.navigation}>{view.sidebar}</nav>
            </details>
          )}
          <main id="content" tabIndex={-1} class={view.wide ? 'full-width' : undefined}>
            {crumbs(view, words)}
            {done && <Notice kind="success">{words.done[done]}</Notice>}
            {refused && <Notice kind="danger">{refused.message}</Notice>}
            {view.main}
          </main>
        </div>
        <footer class="foot">
          <a href={`${to.root}/handbook`}>{words.frame.handbook}</a>
          <a href={`${to.root}/docs`}>{words.frame.reference}</a>
        </footer>
      </body>
    </html>
  );
  return `<!doctype html>\n${renderToString(html)}\n`;
}

/** The icon of the app, among its files. */
export const iconPath = 'favicon.svg';

/** As the service counts: beyond that it is only known to be more. */
const maxCounted = 100;
const countOf = (unread: number): string => (unread < maxCounted ? String(unread) : `${maxCounted - 1}+`);

function headOf(
  { title, scripts = [], styleNonce }: View,
  { words, to, assets, assetsPath, formToken, user }: Surroundings,
): VNode {
  const named = ['app', ...scripts].flatMap((name) => assets.scripts[name]?.path ?? []);
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{`${title} – ${words.frame.product}`}</title>
      <meta name="robots" content="noindex" />
      <meta name="form-token" content={formToken} />
      {user && <meta name="user" content={user.id} data-session={to.session} />}
      {styleNonce && <meta name="style-nonce" content={styleNonce} />}
      {assets.preload.map((font) => (
        <link rel="preload" as="font" type="font/woff2" crossorigin="anonymous" href={assetsPath + font} />
      ))}
      <link rel="stylesheet" href={assetsPath + assets.css.path} />
      <link rel="icon" href={assetsPath + iconPath} />
      {named.map((path) => (
        <script defer src={assetsPath + path} />
      ))}
    </head>
  );
}

function header({ words, to, user, search, formToken, unread }: Surroundings, { sidebar }: View): VNode {
  return (
    <header class={`top ${sidebar ? 'has-menu' : ''}`}>
      <a class="brand" href={to.home} aria-label={words.frame.product}>
        {sign('book-open')} <span>{words.frame.product}</span>
      </a>
      {search !== undefined && (
        <search>
          <form action={search} class="search-form">
            <label class="visually-hidden" for="search">
              {words.frame.searchEverything}
            </label>
            <input
              id="search"
              type="search"
              name="q"
              placeholder={words.frame.search}
              maxLength={512}
              aria-keyshortcuts="/"
            />
          </form>
        </search>
      )}
      {user && (
        <a
          class="bell"
          href={to.notifications}
          aria-label={unread > 0 ? fill(words.notifications.unread, countOf(unread)) : words.notifications.title}
        >
          {sign('bell')}
          {unread > 0 && (
            <span class="bell-count" aria-hidden="true">
              {countOf(unread)}
            </span>
          )}
        </a>
      )}
      {user && (
        <Menu label={<span class="avatar">{initialOf(user)}</span>} name={words.frame.account} class="at-end">
          <p class="menu-title">{user.displayName}</p>
          <a href={to.account}>{words.frame.account}</a>
          <Form token={formToken} action="sign-out" to={to.account}>
            <button type="submit">{words.frame.signOut}</button>
          </Form>
        </Menu>
      )}
    </header>
  );
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const initialOf = ({ displayName }: User): string =>
  [...graphemes.segment(displayName.trim())][0]?.segment.toUpperCase() ?? '?';

function crumbs({ crumbs: way = [] }: View, words: Words): VNode | null {
  if (way.length === 0) return null;
  return (
    <nav class="crumbs" aria-label={words.frame.breadcrumbs}>
      <ol>
        {way.map(({ title, href }) => (
          <li>
            <a href={href}>{title}</a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
