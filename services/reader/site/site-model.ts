import { conditionHolds } from '../../../shared/expression/evaluate.js';
import { sharedBudget } from '../../../shared/expression/values.js';
import { omitUndefined } from '../../../shared/values/omit-undefined.js';
import type { OutsideTarget } from '../../content/contract.js';
import type { ContentRef } from '../../content/resources.js';
import type { Customization, SiteExternalLink, SiteSection, SiteSpace } from '../../sites/resources.js';
import type { Choice, HeaderLink, SectionGroup, SiteModel, TitledLink, Variant } from '../parts/page-model.js';
import { themeAttributes } from '../style/theme-sheet.js';
import type { Visit } from '../visits/visit.js';
import { wordsOf } from '../words/languages.js';
import { bcp47, formatDate, languageAttributes } from '../words/locales.js';
import { type Addresses, siteSpacesOf, visitedSiteSpace } from './addresses.js';
import type { AssetAddresses } from './asset-addresses.js';

/** The customization that counts where a visit leads. */
export const customizationOf = ({ site: { customizations }, shown }: Visit): Customization =>
  customizations.siteSpaces[shown.siteSpace] ?? customizations.site;

/** The references of a customization, in the order of `linksIn`; what they lead to is asked of content. */
export const referencesOf = (customization: Customization): ContentRef[] => linksIn(customization).map(({ to }) => to);

interface CustomLink {
  title: string;
  to: ContentRef;
}

function linksIn({ header, footer, announcement }: Customization): CustomLink[] {
  return [
    ...header.links.flatMap(({ title, to, links }) => [...(to ? [{ title, to }] : []), ...links]),
    ...footer.groups.flatMap(({ links }) => links),
    ...(announcement?.link ? [announcement.link] : []),
  ] as CustomLink[];
}

export interface SiteParts {
  addresses: Addresses;
  assets: AssetAddresses;
  /** Targets of `referencesOf`, in their order. */
  targets: (OutsideTarget | null)[];
}

/** The language of a visit: that of the space where one is set, else that of the customization. */
export function localeOfVisit(visit: Visit): string {
  const space = visitedSiteSpace(visit)?.space;
  return space?.language ?? customizationOf(visit).internationalization.locale;
}

/** Everything that all pages of a visit share. */
export async function siteModelOf(visit: Visit, parts: SiteParts): Promise<SiteModel> {
  const { site, shown } = visit;
  const { addresses, assets } = parts;
  const customization = customizationOf(visit);
  const locale = localeOfVisit(visit);
  const words = await wordsOf(locale);
  const hrefOf = openHrefs(customization, parts);
  const { logo, preset } = customization.header;
  return omitUndefined({
    title: customization.title ?? site.site.title,
    basePath: shown.basePath,
    home: shown.siteBasePath,
    ...languageAttributes(locale),
    words,
    formatDate: (iso: string) => formatDate(locale, iso),
    customization,
    attributes: themeAttributes(customization),
    assets: { css: assets.css, theme: assets.theme, script: assets.script, fonts: assets.fonts },
    favicon: customization.favicon.icon ?? { light: assets.favicon },
    logo,
    headerLinks: preset === 'none' ? [] : headerLinksOf(visit, customization, hrefOf),
    sections: sectionsOf(visit, addresses),
    variants: variantsOf(visit, addresses),
    announcement: announcementOf(customization, hrefOf),
    footer: omitUndefined({
      logo: customization.footer.logo,
      copyright: customization.footer.copyright || undefined,
      groups: customization.footer.groups.map(({ title, links }) => ({ title, links: resolved(links, hrefOf) })),
    }),
    socialAccounts: socialAccountsOf(customization),
    notice: noticeOf(visit),
    signOut: visit.visitor.signedBy === undefined ? undefined : `${shown.siteBasePath}~gitbook/auth/logout`,
    insights: !visit.visitor.preview,
  });
}

type HrefOf = (to: ContentRef) => string | null;

function openHrefs(customization: Customization, { addresses, targets }: SiteParts): HrefOf {
  const byRef = new Map(referencesOf(customization).map((to, at) => [JSON.stringify(to), targets[at]]));
  return (to) => {
    const target = to.kind === 'url' ? ({ kind: 'url', url: String(to.url) } as const) : byRef.get(JSON.stringify(to));
    return target ? addresses.target(target) : null;
  };
}

/** Links that lead somewhere. */
const resolved = (links: { title: string; to: ContentRef }[], hrefOf: HrefOf): TitledLink[] =>
  links.flatMap(({ title, to }) => {
    const href = hrefOf(to);
    return href === null ? [] : [{ title, href }];
  });

function headerLinksOf({ visitor }: Visit, { header }: Customization, hrefOf: HrefOf): HeaderLink[] {
  const budget = sharedBudget();
  return header.links.flatMap(({ title, style = 'link', to, links, condition }) => {
    if (condition !== undefined && !conditionHolds(condition, { visitor }, budget)) return [];
    const shown = { title, style, href: to && hrefOf(to), links: resolved(links, hrefOf) };
    return shown.href === null && shown.links.length === 0 ? [] : [shown];
  });
}

function sectionsOf(visit: Visit, { local }: Addresses): (Choice | SectionGroup)[] {
  const {
    site: { structure },
    shown,
  } = visit;
  if (structure.type === 'siteSpaces') return [];
  const locale = localeOfVisit(visit);
  const choiceOf = (entry: SiteSection | SiteExternalLink): Choice =>
    omitUndefined({
      ...textsIn(locale, entry),
      href: entry.object === 'site-section' ? local(entry.urls.published ?? shown.siteBasePath) : entry.url,
      icon: entry.icon,
      active: entry.id === shown.siteSection,
    });
  return structure.structure.map((entry) => {
    if (entry.object !== 'site-section-group') return choiceOf(entry);
    const { title } = textsIn(locale, entry);
    return omitUndefined({ title, icon: entry.icon, sections: entry.children.map(choiceOf) });
  });
}

/** An entry, in a language where it has texts in it. */
function textsIn(
  locale: string,
  entry: Pick<SiteSection, 'title' | 'localizedTitle' | 'description' | 'localizedDescription'>,
): Pick<Choice, 'title'> & { description: string | undefined } {
  // The interface knows Norwegian by two names, entries by one.
  const language = (locale === 'nb' ? 'no' : locale) as keyof NonNullable<SiteSection['localizedTitle']>;
  return {
    title: entry.localizedTitle?.[language] || entry.title,
    description: entry.localizedDescription?.[language] || entry.description,
  };
}

/** The site spaces beside the one that is visited; none where there is no choice. */
function variantsOf(visit: Visit, { local }: Addresses): Variant[] {
  const { shown } = visit;
  const beside = siteSpacesOf(visit).filter(({ section }) => section === shown.siteSection);
  if (beside.length < 2) return [];
  const areTranslations = new Set(beside.map(({ space }) => space.language)).size > 1;
  const langOf = ({ space }: SiteSpace) => (areTranslations && space.language ? bcp47(space.language) : undefined);
  return beside.map((each) =>
    omitUndefined({
      title: each.title,
      href: local(each.urls.published ?? shown.siteBasePath),
      active: each.id === shown.siteSpace,
      lang: langOf(each),
    }),
  );
}

function announcementOf({ announcement }: Customization, hrefOf: HrefOf): SiteModel['announcement'] {
  if (!announcement?.enabled) return undefined;
  const { message, style, link } = announcement;
  const [shown] = link ? resolved([link], hrefOf) : [];
  return { message, style, ...(shown ? { link: shown } : {}) };
}

/** The page of an account, by its platform. */
const platforms: Record<string, (handle: string) => string> = {
  twitter: (handle) => `https://x.com/${handle}`,
  instagram: (handle) => `https://www.instagram.com/${handle}`,
  facebook: (handle) => `https://www.facebook.com/${handle}`,
  linkedin: (handle) =>
    `https://www.linkedin.com/${handle.includes('%2F') ? decodeURIComponent(handle) : `company/${handle}`}`,
  github: (handle) => `https://github.com/${handle}`,
  discord: (handle) => `https://discord.gg/${handle}`,
  slack: (handle) => `https://${handle}.slack.com`,
  youtube: (handle) => `https://www.youtube.com/@${handle}`,
  tiktok: (handle) => `https://www.tiktok.com/@${handle}`,
  reddit: (handle) => `https://www.reddit.com/r/${handle}`,
  bluesky: (handle) => `https://bsky.app/profile/${handle}`,
  threads: (handle) => `https://www.threads.net/@${handle}`,
  medium: (handle) => `https://medium.com/@${handle}`,
};

function socialAccountsOf({ socialAccounts }: Customization): SiteModel['socialAccounts'] {
  return socialAccounts.flatMap(({ platform, handle, display }) => {
    const name = handle.replace(/^@/, '');
    const [user = '', host = 'mastodon.social'] = name.split('@', 2);
    const href =
      platform === 'mastodon'
        ? `https://${host}/@${encodeURIComponent(user)}`
        : platforms[platform]?.(encodeURIComponent(name));
    if (href === undefined || !URL.canParse(href)) return [];
    return [{ platform, title: `${platform}: ${handle}`, href, inHeader: display.header, inFooter: display.footer }];
  });
}

/** Says what is shown instead of the published content. */
function noticeOf({ shown, visitor: { preview } }: Visit): SiteModel['notice'] {
  if (shown.changeRequest) return { kind: 'change-request', title: shown.changeRequest };
  if (shown.revision) return { kind: 'revision', title: shown.revision };
  return preview ? { kind: 'preview' } : undefined;
}
