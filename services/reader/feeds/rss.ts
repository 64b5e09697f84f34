import { oneLine } from './links.js';
import { escapeXml, xmlDeclaration, xmlElement } from './xml-text.js';

export interface FeedItem {
  /** Stable, unique in the feed. */
  id: string;
  title: string;
  /** ISO 8601. */
  date: string;
  /** Absolute. */
  url: string;
  /** Addresses in it are absolute. */
  html: string;
  tags: readonly string[];
}

export interface Feed {
  title: string;
  description?: string | undefined;
  /** The page that the feed is of. */
  pageUrl: string;
  feedUrl: string;
  /** Such as `en` or `pt-br`. */
  language: string;
  items: readonly FeedItem[];
}

const maxFeedItems = 100;
const maxTags = 20;
const maxTitleLength = 300;
/** Readers of feeds load all of it each time; above this, an item has its link only. */
const maxHtmlLength = 256 * 1024;

const timeOf = ({ date }: FeedItem) => new Date(date).getTime();

function feedItem(item: FeedItem, baseId: string): string {
  const time = timeOf(item);
  return [
    '<item>',
    xmlElement('title', oneLine(item.title, maxTitleLength) || 'Untitled'),
    xmlElement('link', item.url),
    `<guid isPermaLink="false">${escapeXml(`${baseId}#${item.id}`)}</guid>`,
    ...(Number.isNaN(time) ? [] : [xmlElement('pubDate', new Date(time).toUTCString())]),
    ...item.tags.slice(0, maxTags).map((tag) => xmlElement('category', oneLine(tag, maxTitleLength))),
    ...(item.html === '' || item.html.length > maxHtmlLength ? [] : [xmlElement('description', item.html)]),
    '</item>\n',
  ].join('\n');
}

/** A feed of updates, RSS 2.0: the newest first; those without a valid date come last. */
export function rssFeed({ title, description = '', pageUrl, feedUrl, language, items }: Feed): string {
  const byTime = items.map((item) => ({ item, time: timeOf(item) || 0 })).sort((one, other) => other.time - one.time);
  const shown = byTime.slice(0, maxFeedItems);
  const newest = shown[0]?.time ?? 0;
  const name = oneLine(title, maxTitleLength) || 'Untitled';
  return [
    `${xmlDeclaration}<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">\n<channel>`,
    xmlElement('title', name),
    xmlElement('link', pageUrl),
    // RSS requires a description.
    xmlElement('description', oneLine(description, 1000) || name),
    xmlElement('language', language),
    `<atom:link rel="self" type="application/rss+xml" href="${escapeXml(feedUrl)}"/>`,
    ...(newest === 0 ? [] : [xmlElement('lastBuildDate', new Date(newest).toUTCString())]),
    `${shown.map(({ item }) => feedItem(item, pageUrl)).join('')}</channel>\n</rss>\n`,
  ].join('\n');
}
