import { urlMatcher } from './url-patterns.js';

const matches = (pattern: string, url: string) => urlMatcher(url)(pattern);

describe('a pattern of URLs', () => {
  it.each([
    ['https://example.com/a', 'https://example.com/a'],
    ['https://example.com/a', 'https://EXAMPLE.com/a?x=1#y'],
    ['https://Example.com', 'https://example.com/'],
    ['example.com/**', 'http://example.com/a/b'],
    ['*://example.com/*', 'http://example.com/a'],
    ['https://example.com/*/issues/*', 'https://example.com/team/issues/1'],
    ['https://example.com/**/issues/**', 'https://example.com/a/b/issues/1/2'],
    ['https://example.com/**', 'https://example.com/'],
    ['https://*.example.com/**', 'https://a.example.com/x'],
    ['https://**.example.com/**', 'https://a.b.example.com/x'],
    ['https://example.com/watch?v=*', 'https://example.com/watch?v=1&t=2'],
    ['https://lucid.app/*', 'https://lucid.app/lucidchart/0f3c/edit?viewport_loc=1/2'],
    ['https://example.com/*/issues/*', 'https://example.com/team/issues/1/comments'],
    ['https://*.example.com/embed.html*', 'https://a.example.com/embed.html?story=a/b'],
    ['https://example.com/file/*', 'https://example.com/file/a?node=1/2'],
  ])('%s is for %s', (pattern, url) => {
    expect(matches(pattern, url)).toBe(true);
  });

  it.each([
    ['https://example.com/a', 'https://example.com/a/b'],
    ['https://example.com/a', 'http://example.com/a'],
    ['https://example.com/*/b', 'https://example.com/a/c/b'],
    ['https://example.com/a*', 'https://example.com/b/a'],
    ['https://*.example.com/*', 'https://a.b.example.com/'],
    ['https://example.*', 'https://example.com.evil.test/'],
    ['https://*.example.com/**', 'https://example.com/'],
    ['https://*.example.com/**', 'https://a.b.example.com/'],
    ['https://example.com/**', 'https://example.com.evil.test/'],
    ['https://example.com/**', 'https://evil.test/https://example.com/'],
    ['https://example.com/*/issues/*', 'https://example.com/issues/1'],
    ['', 'https://example.com/'],
    ['not a pattern', 'https://example.com/'],
  ])('%s is not for %s', (pattern, url) => {
    expect(matches(pattern, url)).toBe(false);
  });

  it.each(['//javascript:x()', 'no address', ''])('are for nothing that is no address: %s', (address) => {
    expect(matches('*://*/*', address)).toBe(false);
  });

  it('are for nothing more when they have taken so many steps, all together', () => {
    const isMatch = urlMatcher(`https://example.com/${'a'.repeat(1000)}`);
    const patterns = Array.from({ length: 1000 }, () => `https://example.com/${'*a'.repeat(500)}`);
    // A step for each sign of the pattern and of the path.
    expect(patterns.findIndex((pattern) => !isMatch(pattern))).toBe(Math.floor(4_000_000 / 1001 ** 2));
    expect(isMatch('https://example.com/a**')).toBe(false);
  });
});
