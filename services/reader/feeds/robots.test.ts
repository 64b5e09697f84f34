import robotsParser, { type Robot } from 'robots-parser';
import { robotsTxt } from './robots.js';

const root = 'https://docs.example.com';
const sitemapUrl = `${root}/sitemap.xml`;
const policy = { visibility: 'public', sitemapUrl, indexed: true } as const;
/** Its types know it as a module of another kind. */
const readRobots = robotsParser as unknown as (url: string, text: string) => Robot;
const rulesOf = (text: string) => readRobots(`${root}/robots.txt`, text);

describe('robots.txt', () => {
  it('opens the pages of a public site, with their sitemap', () => {
    const rules = rulesOf(robotsTxt(policy));
    for (const path of ['/', '/guides/install', '/~assets/reader.css', '/guides/search', '/a~search'])
      expect([path, rules.isAllowed(root + path, 'Bot')]).toEqual([path, true]);
    expect(rules.getSitemaps()).toEqual([sitemapUrl]);
  });

  it('keeps crawlers from searches and the like, in every section', () => {
    const rules = rulesOf(robotsTxt(policy));
    for (const path of ['/~search?q=x', '/guides/~search?q=x', '/~print', '/de/v2/~all', '/~feedback', '/~mcp'])
      expect([path, rules.isAllowed(root + path, 'Bot')]).toEqual([path, false]);
  });

  it.each([
    ['unlisted', true],
    ['share-link', true],
    ['visitor-auth', true],
    ['public', false],
  ] as const)('closes a site that is %s and wants to be found: %s', (visibility, indexed) => {
    const text = robotsTxt({ ...policy, visibility, indexed });
    expect(rulesOf(text).isAllowed(`${root}/guides`, 'Bot')).toBe(false);
    expect(text).not.toContain(root);
  });

  it('grants what the owner grants, and leaves training open unless told', () => {
    expect(robotsTxt(policy)).toContain('\nContent-Signal: search=yes, ai-input=yes\n');
    const signals = { aiInput: false, aiTrain: true };
    expect(robotsTxt({ ...policy, signals })).toContain('\nContent-Signal: search=yes, ai-input=no, ai-train=yes\n');
  });

  it('has no line that an address made', () => {
    const text = robotsTxt({ ...policy, sitemapUrl: 'https://a.example/x\nDisallow: /' });
    expect(text.split('\n')).not.toContain('Disallow: /');
    expect(robotsTxt({ ...policy, sitemapUrl: 'javascript:x' })).not.toContain('Sitemap');
  });
});
