import { NearVisits } from './near-visits.js';
import { freshMs, type Visit } from './visit.js';

const siteSpace = (path: string) => ({ object: 'site-space', path });
const visited = (shown: object = {}, site: object = {}): Visit =>
  ({
    shown: {
      complete: true,
      basePath: '/sites/S/guides/',
      pathname: 'one',
      canonicalUrl: 'https://docs.example.com/guides/one',
      ...shown,
    },
    site: {
      site,
      structure: {
        type: 'sections',
        structure: [
          { object: 'site-section', path: 'guides', siteSpaces: [siteSpace('v1'), siteSpace('Next')] },
          { object: 'site-section-group', sections: [{ object: 'site-section', path: 'api', siteSpaces: [] }] },
        ],
      },
    },
  }) as unknown as Visit;
const at = (path: string) => new URL(`https://docs.example.com${path}`);

let near: NearVisits;
const find = (path: string, { who = 'somebody', now = 1 } = {}) => near.find(who, at(path), now)?.visit.shown;
beforeEach(() => {
  near = new NearVisits();
  near.note('somebody', at('/sites/S/guides/one'), visited(), 0);
});

describe('a visit of the same space within a second', () => {
  it('answers for its other pages, by their own path and address', () => {
    expect(find('/sites/S/guides/two/b%20c')).toMatchObject({
      pathname: 'two/b c',
      basePath: '/sites/S/guides/',
      canonicalUrl: 'https://docs.example.com/guides/two/b%20c',
    });
  });

  it.each(['v1', 'V1/page', 'next', 'api/page', 'guides', '~/changes/C', '', 'a/', '/a', 'a//b', 'SzQoAXR6aSutFbgx/a'])(
    'does not answer for the path "%s"',
    (path) => {
      expect(find(`/sites/S/guides/${path}`)).toBeUndefined();
    },
  );

  it.each(['%E0%A4%A', 'a%2Fb', 'a%5Cb', 'a%00'])('leaves the path %s, which only sites read, to sites', (path) => {
    expect(find(`/sites/S/guides/${path}`)).toBeUndefined();
  });

  it('is known for the rest of its time, and not beyond', () => {
    expect(near.find('somebody', at('/sites/S/guides/two'), 100)?.ms).toBe(freshMs - 100);
    expect(find('/sites/S/guides/two', { now: freshMs })).toBeUndefined();
  });

  it('answers no other visitor, host or site', () => {
    expect(find('/sites/S/guides/two', { who: 'somebody else' })).toBeUndefined();
    expect(near.find('somebody', new URL('https://other.example.com/sites/S/guides/two'), 1)).toBeUndefined();
    expect(find('/sites/T/guides/two')).toBeUndefined();
  });
});

it.each([{ complete: false }, { changeRequest: 'C' }, { revision: 'R' }])('is not noted with %j', (shown) => {
  near = new NearVisits();
  near.note('somebody', at('/sites/S/guides/one'), visited(shown), 0);
  expect(find('/sites/S/guides/two')).toBeUndefined();
});

describe('at a host where other sites may be', () => {
  const own = { basePath: '/', canonicalUrl: 'https://docs.example.com/one' };

  it.each<[string, object, boolean]>([
    ['the host of the site itself', { hostname: 'docs.example.com' }, true],
    ['that of its organization', {}, false],
    ['that of a proxy', { hostname: 'docs.example.com', proxy: { origin: 'docs.example.com/docs' } }, false],
  ])('which is %s, %j answers for other pages: %s', (_, site, isNear) => {
    near = new NearVisits();
    near.note('somebody', at('/one'), visited(own, site), 0);
    expect(find('/two') !== undefined).toBe(isNear);
  });
});
