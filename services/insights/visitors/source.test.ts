import { visitSource } from './source.js';

const page = 'https://docs.example/start';

describe('sourceOf', () => {
  it.each([
    ['https://www.Example.com/a?b=c', 'https://www.example.com/a?b=c', 'example.com'],
    ['https://example.com', 'https://example.com/', 'example.com'],
    ['http://example.com:8080/', 'http://example.com:8080/', 'example.com'],
    ['https://ann:secret@example.com/a#top', 'https://example.com/a', 'example.com'],
    ['https://example.com/a?mail=ann@example.org#x', 'https://example.com/a?mail=ann@example.org', 'example.com'],
    ['https://www.com/', 'https://www.com/', 'www.com'],
    ['https://example.com./', 'https://example.com./', 'example.com'],
    ['https://müller.example/', 'https://xn--mller-kva.example/', 'xn--mller-kva.example'],
    ['https://[2001:db8::1]:8443/', 'https://[2001:db8::1]:8443/', '[2001:db8::1]'],
    ['android-app://com.Google.android.gm/', 'android-app://com.Google.android.gm/', 'com.google.android.gm'],
    ['https://docs.example/other', 'https://docs.example/other', 'docs.example'],
    ['about:blank', 'about:blank', undefined],
  ])('reads the referrer %s', (given, referrer, referrerDomain) => {
    expect(visitSource({ url: page, referrer: given })).toEqual({
      referrer,
      ...(referrerDomain && { referrerDomain }),
    });
  });

  it('gives the same answer for a referrer that it has seen', () => {
    const first = visitSource({ url: `${page}?utm_source=a`, referrer: 'https://seen.example/' });
    const second = visitSource({ url: page, referrer: 'https://seen.example/' });
    expect([first, second]).toEqual([
      { referrer: 'https://seen.example/', referrerDomain: 'seen.example', utmSource: 'a' },
      { referrer: 'https://seen.example/', referrerDomain: 'seen.example' },
    ]);
  });

  it.each([null, '', 'nothing', 'https://', 'http://a b/'])('leaves out the referrer %j', (referrer) => {
    expect(visitSource({ url: page, referrer })).toEqual({});
  });

  it('keeps the origin of a referrer that is too long when it is escaped', () => {
    const { referrer } = visitSource({ url: page, referrer: `https://example.com/${'ü'.repeat(2000)}` });
    expect(referrer).toBe('https://example.com/');
  });

  it('reads all parameters of campaigns', () => {
    const url = `${page}?utm_source=news&a=b&utm_medium=e+mail&utm_campaign=%C3%BC&utm_term=a%26b&utm_content=c#utm_source=d`;
    expect(visitSource({ url, referrer: null })).toEqual({
      utmSource: 'news',
      utmMedium: 'e mail',
      utmCampaign: 'ü',
      utmTerm: 'a&b',
      utmContent: 'c',
    });
  });

  it.each([
    ['an empty one', '?utm_source='],
    ['another one', '?utm_id=7&xutm_source=x'],
    ['one in the fragment', '#utm_source=a'],
    ['one in a query of the fragment', '#/a?utm_source=a'],
    ['one in the path', '/utm_source=a'],
  ])('leaves out %s', (_, rest) => {
    expect(visitSource({ url: page + rest, referrer: null })).toEqual({});
  });

  it('takes the first of two', () => {
    expect(visitSource({ url: `${page}?utm_source=a&utm_source=b`, referrer: null })).toEqual({ utmSource: 'a' });
  });

  it('cuts parameters to 500 characters, and no character in two', () => {
    const read = (value: string) => visitSource({ url: `${page}?utm_term=${value}`, referrer: null }).utmTerm;
    expect(read('x'.repeat(600))).toBe('x'.repeat(500));
    expect(read(`${'x'.repeat(499)}\u{1f600}`)).toBe('x'.repeat(499));
  });
});
