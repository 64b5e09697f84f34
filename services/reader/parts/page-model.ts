import type { Customization } from '../../sites/resources.js';
import type { Words } from '../words/words.js';

/** An address for light and one for dark surroundings. */
export interface ThemedAddress {
  light: string;
  dark?: string;
}

export interface TitledLink {
  title: string;
  href: string;
}

/** A link in the header; without an address it only opens its links. */
export interface HeaderLink {
  title: string;
  href: string | null;
  style: 'link' | 'button-primary' | 'button-secondary';
  links: TitledLink[];
}

/** A section, an external link beside the sections, or a site space of the current section. */
export interface Choice extends TitledLink {
  description?: string;
  icon?: string;
  emoji?: string;
  active: boolean;
}

/** A site space of the current section; with `lang` (BCP 47) it is a translation. */
export interface Variant extends Choice {
  lang?: string;
}

export interface SectionGroup {
  title: string;
  icon?: string;
  sections: Choice[];
}

export interface SocialAccount extends TitledLink {
  /** Name of a brand icon, such as `github`. */
  platform: string;
  inHeader: boolean;
  inFooter: boolean;
}

/** Everything that the pages of a site share, resolved for one visitor and one language. */
export interface SiteModel {
  title: string;
  /** Path of the site with a trailing slash; `~search` and `~feedback` are below it. */
  basePath: string;
  home: string;
  lang: string;
  dir: 'ltr' | 'rtl';
  words: Words;
  /** Writes a date (ISO 8601) in the language of the site. */
  formatDate: (iso: string) => string;
  customization: Customization;
  /** Attributes of `<html>` that the style sheets look at, by name. */
  attributes: Record<string, string>;
  assets: { css: string; theme: string; script: string; fonts?: string[] };
  favicon: ThemedAddress;
  logo?: ThemedAddress;
  headerLinks: HeaderLink[];
  sections: (Choice | SectionGroup)[];
  variants: Variant[];
  announcement?: { message: string; style: 'info' | 'warning' | 'danger' | 'success'; link?: TitledLink };
  footer: { logo?: ThemedAddress; groups: { title: string; links: TitledLink[] }[]; copyright?: string };
  socialAccounts: SocialAccount[];
  /** Says that not the published content is shown; `title` names the change request. */
  notice?: { kind: 'preview' | 'change-request' | 'revision'; title?: string; href?: string };
  signIn?: string;
  signOut?: string;
  /** Addresses of scripts that integrations add. */
  scripts?: string[];
  /** A copy without a server: its pages search nothing, report nothing and run nothing. */
  isCopy?: boolean;
  /** Whether the pages report views and searches. */
  insights: boolean;
}

export interface OutlineLink {
  id: string;
  title: string;
  level: 1 | 2 | 3;
}

/** Layout of a page with nothing left out, as `completeLayout` of content gives it. */
export interface ShownLayout {
  width: 'default' | 'wide';
  cover: boolean;
  coverSize: 'hero' | 'full';
  coverMask: 'none' | 'radial';
  title: boolean;
  description: boolean;
  tableOfContents: boolean;
  outline: boolean;
  pagination: boolean;
  metadata: boolean;
  tags: boolean;
  actions: boolean;
  anchors: boolean;
}

export interface PageModel {
  id: string;
  title: string;
  description?: string;
  emoji?: string;
  icon?: string;
  /** `yPos` is the shift of the image in pixels; negative shows what is below its centre. */
  cover?: ThemedAddress & { yPos: number };
  layout: ShownLayout;
  /** ISO 8601. */
  updatedAt?: string;
  /** `host` is the name of the Git provider. */
  edit?: { href: string; host: string };
  tags: { label: string; primary: boolean; icon?: string; href?: string }[];
  /** From the section to the parent; groups have no address. */
  ancestors: { title: string; href?: string }[];
  previous?: TitledLink;
  next?: TitledLink;
  outline: OutlineLink[];
  /** HTML of our own renderer with every mark filled. */
  body: string;
  /** Absolute. */
  canonical: string;
  alternates: { lang: string; href: string }[];
  /** Content of `meta name=robots`. */
  robots?: string;
  socialImage?: string;
  markdown?: string;
  /** Address of a PDF, or of the page for printing. */
  pdf?: string;
  rss?: string;
}

/** An entry of the table of contents. */
export interface TreeEntry {
  id: string;
  title: string;
  kind: 'document' | 'group' | 'link';
  /** Absent for groups and for links that lead nowhere. */
  href?: string;
  emoji?: string;
  icon?: string;
  children: TreeEntry[];
}

export interface SearchResult extends TitledLink {
  icon?: string;
  emoji?: string;
  /** Where it is: titles from the section to the parent. */
  crumbs?: string[];
  body?: string;
  sections: { title: string; href: string; body?: string }[];
}

export interface SearchResults {
  query: string;
  /** `section` where only the current section was searched. */
  scope: 'site' | 'section';
  /** There may be more than these. */
  isCut: boolean;
  results: SearchResult[];
}
