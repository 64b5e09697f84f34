import { rssFeed } from './rss.js';
import { readXml, textsAt } from './testing/read-xml.js';

const item = (day: number) => ({
  ...{ id: `u${day}`, title: `Release ${day}`, date: new Date(Date.UTC(2026, 0, day)).toISOString(), tags: ['new'] },
  ...{ url: `https://docs.example.com/changes#u${day}`, html: `<p>Day ${day} &amp; more</p>` },
});
const feed = {
  title: 'Changes <b>',
  pageUrl: 'https://docs.example.com/changes',
  feedUrl: 'https://docs.example.com/changes/rss.xml?a=1&b=2',
  language: 'en',
};

describe('a feed', () => {
  it('holds updates with the newest first, their HTML as text', () => {
    const nodes = readXml(rssFeed({ ...feed, items: [item(1), item(3), item(2)] }));
    const texts = (name: string) => textsAt(nodes, `rss/channel/${name}`);
    expect(nodes[0]?.attributes.version).toBe('2.0');
    expect([texts('title'), texts('link'), texts('description'), texts('language')]).toEqual([
      ['Changes <b>'],
      [feed.pageUrl],
      ['Changes <b>'],
      ['en'],
    ]);
    expect(texts('lastBuildDate')).toEqual(['Sat, 03 Jan 2026 00:00:00 GMT']);
    expect(texts('item/title')).toEqual(['Release 3', 'Release 2', 'Release 1']);
    expect(texts('item/pubDate')[2]).toBe('Thu, 01 Jan 2026 00:00:00 GMT');
    expect(texts('item/description')[0]).toBe('<p>Day 3 &amp; more</p>');
    expect(texts('item/guid')[0]).toBe('https://docs.example.com/changes#u3');
    expect(texts('item/category')).toEqual(['new', 'new', 'new']);
    expect(nodes.find(({ path }) => path === 'rss/channel/atom:link')?.attributes).toEqual({
      ...{ rel: 'self', type: 'application/rss+xml', href: feed.feedUrl },
    });
  });

  it('holds at most 100 updates', () => {
    const nodes = readXml(rssFeed({ ...feed, items: Array.from({ length: 150 }, (_, at) => item(at + 1)) }));
    const titles = textsAt(nodes, 'rss/channel/item/title');
    expect([titles.length, titles[0], titles.at(-1)]).toEqual([100, 'Release 150', 'Release 51']);
  });

  it('is well-formed whatever updates hold, and shows less of those that are too large', () => {
    const hostile = {
      id: ']]>',
      title: '\u0000</title>',
      date: 'soon',
      url: 'https://a.example/"',
      html: '\u0001]]>\ud800',
      tags: ['<'],
    };
    const large = { ...item(1), html: 'x'.repeat(1_000_000) };
    const nodes = readXml(rssFeed({ ...feed, items: [hostile, large] }));
    expect(textsAt(nodes, 'rss/channel/item/title')).toEqual(['Release 1', '</title>']);
    expect(textsAt(nodes, 'rss/channel/item/description')).toEqual([']]>']);
    expect(textsAt(nodes, 'rss/channel/item/pubDate')).toHaveLength(1);
  });

  it('may be empty', () => {
    const nodes = readXml(rssFeed({ ...feed, title: '', items: [] }));
    expect(textsAt(nodes, 'rss/channel/title')).toEqual(['Untitled']);
    expect(nodes.some(({ path }) => path === 'rss/channel/lastBuildDate')).toBe(false);
  });
});
