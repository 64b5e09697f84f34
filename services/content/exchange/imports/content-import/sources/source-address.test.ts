import { googleExportUrl, wikiRepositoryUrl } from './source-address.js';
import { pageKey, WebsiteScope } from './website-address.js';

describe('the address of a source', () => {
  it.each([
    ['https://docs.google.com/document/d/1aBcDeFgHiJk/edit?usp=sharing#heading=h.1', '1aBcDeFgHiJk'],
    ['https://docs.google.com/document/u/1/d/1aBcDeFgHiJk', '1aBcDeFgHiJk'],
  ])('of a Google document %s is its export', (url, id) => {
    expect(googleExportUrl(url)).toBe(`https://docs.google.com/document/d/${id}/export?format=docx`);
  });

  it.each([
    ['https://github.com/o/r/wiki', 'https://github.com/o/r.wiki.git'],
    ['https://me:secret@github.com/o/r/wiki/Some-Page#x', 'https://me:secret@github.com/o/r.wiki.git'],
    ['https://git.example.com/a/b.wiki.git', 'https://git.example.com/a/b.wiki.git'],
  ])('of a wiki %s is its repository', (url, repository) => {
    expect(wikiRepositoryUrl(url)).toBe(repository);
  });
});

describe('a page of a website', () => {
  it.each([
    'https://Example.com/docs/a/',
    'https://example.com/docs/a#b',
    'https://example.com/docs/a/index.html',
    'https://example.com/docs/a?utm_source=x&ref=y',
    'http://example.com/docs/x/../a',
  ])('has one name, also as %s', (url) => {
    expect(pageKey(url)).toBe('example.com/docs/a');
  });

  it('is told from others by its query', () => {
    expect(pageKey('https://example.com/?b=2&a=1')).toBe('example.com?a=1&b=2');
  });

  it.each([
    ['guide/', 'https://example.com/docs/guide/'],
    ['/docs/b#c', 'https://example.com/docs/b'],
    ['/docs', 'https://example.com/docs'],
    ['/', undefined],
    ['/docs-old/a', undefined],
    ['https://other.example.com/docs/', undefined],
    ['https://example.com:8443/docs/', undefined],
    ['mailto:a@example.com', undefined],
    ['javascript:alert(1)', undefined],
    ['file.PDF', undefined],
    ['http://[', undefined],
  ])('is within its folder: %s', (link, found) => {
    expect(new WebsiteScope('https://example.com/docs/intro').pageAt(link, 'https://example.com/docs/intro')).toBe(
      found,
    );
  });
});
