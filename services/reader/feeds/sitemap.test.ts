import { maxSitemapEntries, sitemapIndex, sitemapPages } from './sitemap.js';
import { readXml, textsAt } from './testing/read-xml.js';

const url = 'https://docs.example.com/a?b=1&c=<2>"\'';

describe('a sitemap', () => {
  it('names pages with their dates, their priority and their other languages', () => {
    const nodes = readXml(
      sitemapPages([
        {
          ...{ url, lastmod: '2026-11-21T08:48:28.435Z', priority: 0.5 },
          alternates: [
            { hreflang: 'pt-BR', href: 'https://docs.example.com/pt' },
            { hreflang: 'x-default', href: url },
          ],
        },
        { url: 'https://docs.example.com/b' },
      ]),
    );
    expect(nodes[0]?.attributes.xmlns).toBe('http://www.sitemaps.org/schemas/sitemap/0.9');
    expect(textsAt(nodes, 'urlset/url/loc')).toEqual([url, 'https://docs.example.com/b']);
    expect(textsAt(nodes, 'urlset/url/lastmod')).toEqual(['2026-11-21T08:48:28Z']);
    expect(textsAt(nodes, 'urlset/url/priority')).toEqual(['0.5']);
    const links = nodes.filter(({ path }) => path === 'urlset/url/xhtml:link').map(({ attributes }) => attributes);
    expect(links).toEqual([
      { rel: 'alternate', hreflang: 'pt-BR', href: 'https://docs.example.com/pt' },
      { rel: 'alternate', hreflang: 'x-default', href: url },
    ]);
  });

  it('leaves out what the protocol does not take', () => {
    const nodes = readXml(
      sitemapPages([
        { url: '/relative' },
        { url: 'javascript:alert(1)' },
        { url: `https://a.example/${'x'.repeat(3000)}` },
        {
          ...{ url: 'https://a.example/\u0000\ud800\uffff', lastmod: 'yesterday', priority: 7 },
          alternates: [{ hreflang: '"><x', href: url }],
        },
      ]),
    );
    expect(nodes.map(({ path }) => path)).toEqual(['urlset', 'urlset/url', 'urlset/url/loc']);
    expect(textsAt(nodes, 'urlset/url/loc')).toEqual(['https://a.example/']);
  });

  it('holds at most 50,000 pages', () => {
    const entries = Array.from({ length: maxSitemapEntries + 1 }, (_, at) => ({ url: `https://a.example/${at}` }));
    const text = sitemapPages(entries);
    expect(text.split('<url>')).toHaveLength(50_001);
    expect(text.endsWith('/49999</loc></url>\n</urlset>\n')).toBe(true);
  });

  it('may be empty', () => {
    expect(readXml(sitemapPages([])).map(({ path }) => path)).toEqual(['urlset']);
  });
});

it('an index of sitemaps names them in order', () => {
  const nodes = readXml(sitemapIndex([url, 'nothing', 'https://docs.example.com/b/sitemap-pages.xml']));
  expect(textsAt(nodes, 'sitemapindex/sitemap/loc')).toEqual([url, 'https://docs.example.com/b/sitemap-pages.xml']);
});
