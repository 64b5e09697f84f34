import { isWebAddress, oneLine } from './links.js';

/** A `meta` element: `property` for Open Graph, `name` for all others. */
export type SocialTag = { property: string; content: string } | { name: string; content: string };

export interface SocialImage {
  /** Absolute. */
  url: string;
  /** Pixels. */
  width?: number | undefined;
  height?: number | undefined;
  alt?: string | undefined;
}

export interface SocialPage {
  page: {
    title: string;
    description?: string | undefined;
    /** The canonical address, absolute. */
    url: string;
    /** Whether it is the front page of the site. */
    front: boolean;
    /** ISO 8601. */
    updatedAt?: string | undefined;
    /** The cover, where the page has one. */
    image?: SocialImage | undefined;
  };
  site: {
    title: string;
    description?: string | undefined;
    /** Such as `en` or `pt-br`. */
    language: string;
    /** The picture of the customization, for pages without one. */
    image?: SocialImage | undefined;
    /** The account on X, with or without `@`. */
    account?: string | undefined;
  };
}

const maxTitleLength = 200;
const maxDescriptionLength = 300;

/** A language as Open Graph writes it, with the country where it is spoken most: `en_US`. */
function localeOf(language: string): string | undefined {
  try {
    const { language: name, region } = new Intl.Locale(language).maximize();
    return region === undefined ? name : `${name}_${region}`;
  } catch {
    return undefined;
  }
}

const isTime = (iso: string | undefined): iso is string => !Number.isNaN(Date.parse(iso ?? ''));
const property = (name: string, content: string | undefined): SocialTag[] =>
  content === undefined || content === '' ? [] : [{ property: `og:${name}`, content }];

const imageTags = ({ url, width, height, alt = '' }: SocialImage): SocialTag[] => [
  ...property('image', url),
  ...property('image:width', width?.toFixed(0)),
  ...property('image:height', height?.toFixed(0)),
  ...property('image:alt', oneLine(alt, maxDescriptionLength)),
];

/**
 * The tags that make the card of a link to a page. X reads title, description and picture from those of Open Graph. Values are not escaped: the
 * template does that.
 */
export function socialTags({ page, site }: SocialPage): SocialTag[] {
  const image = [page.image, site.image].find((one) => one !== undefined && isWebAddress(one.url));
  const description = page.description || (page.front ? site.description : undefined);
  const account = /^@?(\w{1,30})$/.exec(site.account ?? '')?.[1];
  return [
    ...property('type', page.front ? 'website' : 'article'),
    ...property('title', oneLine(page.title, maxTitleLength) || oneLine(site.title, maxTitleLength)),
    ...property('description', oneLine(description ?? '', maxDescriptionLength)),
    ...property('url', page.url),
    ...property('site_name', oneLine(site.title, maxTitleLength)),
    ...property('locale', localeOf(site.language)),
    ...(image === undefined ? [] : imageTags(image)),
    ...(page.front || !isTime(page.updatedAt) ? [] : [{ property: 'article:modified_time', content: page.updatedAt }]),
    { name: 'twitter:card', content: image === undefined ? 'summary' : 'summary_large_image' },
    ...(account === undefined ? [] : [{ name: 'twitter:site', content: `@${account}` }]),
  ];
}
