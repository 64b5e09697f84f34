import type { VNode } from 'preact';
import { fillIn } from '../../words/languages.js';
import type { HeaderLink, SiteModel } from '../page-model.js';
import { sectionTabs, variantMenu } from './choices.js';
import { link, safeHref, themedImage } from './links.js';
import { menu, sketch } from './menus.js';
import { socialLinks } from './social.js';

/** The banner of the site; the script remembers that a visitor dismissed it. */
export function announcement({ announcement: said, words, ...site }: SiteModel): VNode | null {
  if (!said) return null;
  return (
    <aside
      class={`announcement ${said.style}`}
      aria-label={words[said.style]}
      data-key={`${said.style} ${said.message}`}
    >
      <p>
        {said.message} {said.link && link({ ...site, words }, said.link.href, said.link.title)}
      </p>
      <button type="button" class="icon-button needs-script" data-dismiss>
        {sketch('xmark')}
        <span class="visually-hidden">{words.dismiss}</span>
      </button>
    </aside>
  );
}

/** Says that this is not what visitors see. */
export function notice({ notice: said, words }: SiteModel): VNode | null {
  if (!said) return null;
  const texts = {
    preview: words.previewNotice,
    'change-request': fillIn(words.changeRequestNotice, said.title ?? ''),
    revision: fillIn(words.revisionNotice, said.title ?? ''),
  };
  const text = texts[said.kind].trim();
  const href = safeHref(said.href);
  return (
    <aside class="notice" aria-label={words.previewNotice}>
      <p>{href ? <a href={href}>{text}</a> : text}</p>
    </aside>
  );
}

const hasOwnIcon = ({ customization: { favicon } }: SiteModel) =>
  favicon.icon !== undefined || favicon.emoji !== undefined;

function siteTitle(site: SiteModel): VNode {
  const { logo, title } = site;
  return (
    <a class="site-title" href={site.home}>
      {logo ? (
        themedImage(logo, title, 'logo')
      ) : (
        <>
          {hasOwnIcon(site) && themedImage(site.favicon, '', 'site-icon')}
          <span>{title}</span>
        </>
      )}
    </a>
  );
}

/** A form that leads to the page of results; with script its field opens the dialog. `label` tells two on a page apart. */
export const searchForm = ({ basePath, words }: SiteModel, label = words.search): VNode => (
  <search class="search" aria-label={label}>
    <form class="search-form" action={`${basePath}~search`}>
      {sketch('magnifying-glass')}
      <input
        type="search"
        name="q"
        placeholder={words.searchPlaceholder}
        aria-label={words.search}
        autocomplete="off"
      />
      <span class="key needs-script" aria-hidden="true" data-search-key="">
        /
      </span>
      <button type="submit" class="visually-hidden">
        {words.search}
      </button>
    </form>
  </search>
);

const search = (site: SiteModel): VNode[] => [
  searchForm(site),
  <a class="icon-button search-link" href={`${site.basePath}~search`} aria-label={site.words.search}>
    {sketch('magnifying-glass')}
  </a>,
];

function headerItem(site: SiteModel, item: HeaderLink): VNode {
  const className = { link: undefined, 'button-primary': 'button button-primary', 'button-secondary': 'button' }[
    item.style
  ];
  if (item.links.length === 0) return <li>{link(site, item.href, item.title, { class: className })}</li>;
  // The item's own address comes first among its links: the button itself only opens the menu.
  const own = item.href === null ? [] : [{ title: item.title, href: item.href }];
  return (
    <li>
      {menu(
        {
          face: <span>{item.title}</span>,
          button: className ? `menu-button ${className}` : undefined,
          group: 'header',
        },
        <ul>
          {[...own, ...item.links].map(({ title, href }) => (
            <li>{link(site, href, title)}</li>
          ))}
        </ul>,
      )}
    </li>
  );
}

/** The links of the header; again in the menu of narrow screens. */
export const headerLinkList = (site: SiteModel): VNode => (
  <ul>{site.headerLinks.map((item) => headerItem(site, item))}</ul>
);

function themeMenu({ words, isCopy, customization: { themes } }: SiteModel): VNode | null {
  if (isCopy || !themes.toggeable) return null;
  const choices = [
    ['light', words.themeLight, 'sun'],
    ['dark', words.themeDark, 'moon'],
    ['system', words.themeSystem, 'display'],
  ] as const;
  return menu(
    {
      label: words.theme,
      face: [sketch('sun', 'only-light'), sketch('moon', 'only-dark')],
      class: 'theme-menu needs-script',
      button: 'icon-button',
      group: 'header',
    },
    <ul>
      {choices.map(([theme, title, icon]) => (
        <li>
          <button type="button" data-choose-theme={theme} aria-pressed="false">
            {sketch(icon)}
            {title}
          </button>
        </li>
      ))}
    </ul>,
  );
}

const standing = ({ signIn, signOut, words }: SiteModel) => {
  if (signOut)
    return (
      <a class="button" href={signOut}>
        {words.signOut}
      </a>
    );
  return (
    signIn && (
      <a class="button" href={signIn}>
        {words.signIn}
      </a>
    )
  );
};

/** The header of every page. */
export function header(site: SiteModel): VNode {
  const { words } = site;
  return (
    <header class="site-header">
      <div class="header-row">
        <button type="button" class="icon-button menu-toggle" popovertarget="page:sidebar" aria-label={words.menu}>
          {sketch('bars')}
        </button>
        {siteTitle(site)}
        {variantMenu(site, 'variants')}
        {!site.isCopy && search(site)}
        {site.headerLinks.length > 0 && (
          <nav class="header-links" aria-label={words.menu}>
            {headerLinkList(site)}
          </nav>
        )}
        {socialLinks(site, 'header')}
        {standing(site)}
        {themeMenu(site)}
      </div>
      {sectionTabs(site)}
    </header>
  );
}
