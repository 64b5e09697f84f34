import type { OutgoingHttpHeaders } from 'node:http';
import { headersOfAnswer } from './headers-of-scripts.js';

const ours = { 'X-Request-Id': 'r', 'X-Content-Type-Options': 'nosniff', 'X-Frame-Options': 'DENY' };
const sent = (headers: [string, string][], isolated = false): OutgoingHttpHeaders =>
  headersOfAnswer(ours, { headers }, { isolated });
const namesOf = (headers: OutgoingHttpHeaders) => Object.keys(headers).map((name) => name.toLowerCase());

describe('the headers of a script', () => {
  it('pass where they are about its answer', () => {
    const headers: [string, string][] = [
      ['Content-Type', 'text/html'],
      ['Content-Disposition', 'attachment'],
      ['Cache-Control', 'public, max-age=60'],
      ['ETag', '"1"'],
      ['Location', '/next'],
      ['Access-Control-Allow-Origin', '*'],
      ['Access-Control-Allow-Headers', 'X-Own'],
      ['Referrer-Policy', 'no-referrer'],
      ['Mcp-Session-Id', 's'],
      ['WebHook-Allowed-Origin', '*'],
      ['X-Own', 'yes'],
      ['X-Robots-Tag', 'noindex'],
      ['X-Frame-Options', 'SAMEORIGIN'],
    ];
    const expected = Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), [value]]));
    expect(sent(headers)).toMatchObject(expected);
  });

  it.each([
    'WWW-Authenticate',
    'Proxy-Authenticate',
    'Authentication-Info',
    'Strict-Transport-Security',
    'Clear-Site-Data',
    'Service-Worker-Allowed',
    'Alt-Svc',
    'Refresh',
    'Link',
    'NEL',
    'Report-To',
    'Reporting-Endpoints',
    'Origin-Agent-Cluster',
    'Origin-Trial',
    'Accept-CH',
    'Set-Login',
    'Use-As-Dictionary',
    'Speculation-Rules',
    'Public-Key-Pins',
    'Connection',
    'Transfer-Encoding',
    'Server',
    'Surrogate-Control',
    'Some-New-Header',
    'X-Accel-Redirect',
    'X-Sendfile',
    'X-Reproxy-URL',
    'X-Envoy-Immediate-Health-Check-Fail',
    'X-Permitted-Cross-Domain-Policies',
    'X-RateLimit-Remaining',
  ])('do not pass on any origin where they are not: %s', (name) => {
    for (const isolated of [false, true])
      expect(namesOf(sent([[name, 'a']], isolated))).not.toContain(name.toLowerCase());
  });

  it('never replace what every answer says', () => {
    const headers = sent([
      ['X-Request-Id', 'other'],
      ['X-Content-Type-Options', 'none'],
    ]);
    expect(headers).toMatchObject({ 'X-Request-Id': 'r', 'X-Content-Type-Options': 'nosniff' });
    expect(namesOf(headers).filter((name) => name === 'x-request-id')).toHaveLength(1);
  });

  it.each(['Set-Cookie', 'Access-Control-Allow-Credentials'])('pass on their own origin alone: %s', (name) => {
    const isIn = (isolated: boolean) => namesOf(sent([[name, 'a=b']], isolated)).includes(name.toLowerCase());
    expect([isIn(true), isIn(false)]).toEqual([true, false]);
  });

  it.each([
    'saml=stolen',
    '__Host-saml=stolen; Path=/; Secure',
    'bindery_session=bns_stolen; Path=/',
    '__Host-session=bns_stolen; Path=/; Secure',
    'bindery_browser=stolen',
    '__HOST-BROWSER=stolen; Path=/; Secure',
    ' bindery_next = /app',
    '=bindery_session=stolen',
    'bindery_theme',
  ])('set none of the cookies by which people sign in: %s', (cookie) => {
    expect(namesOf(sent([['Set-Cookie', cookie]], true))).not.toContain('set-cookie');
  });

  it.each(['session=a', 'mine=bindery_session', 'browser=__Host-session'])('set cookies of their own: %s', (cookie) => {
    expect(sent([['Set-Cookie', cookie]], true)).toMatchObject({ 'set-cookie': [cookie] });
  });
});
