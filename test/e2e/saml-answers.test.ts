import { shared } from '../support/fixtures.js';
import {
  Browser,
  expectRefused,
  IdentityProvider,
  membersOf,
  newEmail,
  newProvider,
  newSetting,
  requestIn,
  type SamlSetting,
} from '../support/identity-provider.js';

const client = shared();
const identityProvider = new IdentityProvider();

describe('an answer that does not hold', () => {
  let setting: SamlSetting;
  beforeAll(async () => {
    setting = await newSetting(identityProvider);
  });

  const past = (ms: number) => new Date(Date.now() - ms).toISOString();
  const ahead = (ms: number) => past(-ms);
  const minutes = 60_000;

  it.each([
    ['signed by somebody else', { key: new IdentityProvider().own }, /signature is not valid/],
    ['signed with SHA-1', { sha1: true }, /algorithm that is not accepted/, 400],
    ['signed outside of its assertion alone', { signs: 'response' as const }, /assertion is not signed/, 400],
    ['expired', { tags: { ConditionsNotOnOrAfter: past(2 * minutes) } }, /has expired/],
    ['expired for its bearer', { tags: { SubjectConfirmationDataNotOnOrAfter: past(2 * minutes) } }, /has expired/],
    ['not valid yet', { tags: { ConditionsNotBefore: ahead(2 * minutes) } }, /not valid yet/],
    ['for another audience', { tags: { Audience: 'https://other.example/metadata' } }, /audience/],
    ['from another issuer', { tags: { Issuer: 'https://other.example' } }, /issuer/],
    ['for another recipient', { tags: { SubjectRecipient: 'https://other.example/acs' } }, /recipient/],
    ['for another destination', { tags: { Destination: 'https://other.example/acs' } }, /destination/],
    [
      'to a request that nobody made',
      { tags: { InResponseTo: '_nobody' } },
      /no sign-in of this browser is waiting for it/,
    ],
    ['without an address', { tags: { NameID: 'ada' } }, /NameID is not an e-mail address/],
    ['with an address and more', { tags: { NameID: 'a@example.com,b@example.com' } }, /NameID/],
    [
      'a refusal',
      { tags: { StatusCode: 'urn:oasis:names:tc:SAML:2.0:status:Responder' } },
      /did not sign you in: Responder/,
    ],
    [
      'to no request',
      { edit: (xml: string) => xml.replace(/ InResponseTo="[^"]*"/g, '') },
      /no sign-in of this browser is waiting for it/,
    ],
    [
      'to a request that only the unsigned part names',
      { edit: (xml: string) => xml.replace(/(<saml:SubjectConfirmationData[^>]*) InResponseTo="[^"]*"/, '$1') },
      /recipient|another sign-in/,
    ],
    [
      'to another request in the signed part',
      {
        edit: (xml: string) =>
          xml.replace(/(<saml:SubjectConfirmationData[^>]*) InResponseTo="[^"]*"/, '$1 InResponseTo="_other"'),
      },
      /another sign-in/,
    ],
    [
      'without conditions',
      { edit: (xml: string) => xml.replace(/<saml:Conditions.*<\/saml:Conditions>/, '') },
      /audience/,
    ],
    [
      'without a time limit',
      { edit: (xml: string) => xml.replace(/<saml:Conditions [^>]*>/, '<saml:Conditions>') },
      /lacks the elements of a sign-in/,
    ],
    [
      'without an audience',
      { edit: (xml: string) => xml.replace(/<saml:AudienceRestriction>.*<\/saml:AudienceRestriction>/, '') },
      /audience/,
    ],
    [
      'not confirmed to its bearer',
      { edit: (xml: string) => xml.replace('cm:bearer', 'cm:holder-of-key') },
      /recipient/,
    ],
  ])('is refused: %s', async (_, options, message, code = 403) => {
    const email = newEmail();
    const answer = await setting.browser.signIn(identityProvider, { email }, options);
    expectRefused(answer, message, code);
    expect((await membersOf(setting.organization)).map(({ user }) => user.email)).not.toContain(email);
  });

  it('is taken when clocks differ by less than a minute', async () => {
    const tags = { ConditionsNotBefore: ahead(30_000), ConditionsNotOnOrAfter: past(30_000) };
    expect((await setting.browser.signIn(identityProvider, { email: newEmail() }, { tags })).status).toBe(200);
  });

  /** An honest answer, changed after it was signed. */
  const tampered = async (change: (xml: string) => string) => {
    const { browser } = setting;
    const answer = await identityProvider.answer(await browser.metadata(), await browser.start(), {
      email: 'mallory@example.com',
    });
    const xml = Buffer.from(answer, 'base64').toString();
    const changed = change(xml);
    expect(changed).not.toBe(xml);
    return browser.finish(Buffer.from(changed).toString('base64'));
  };
  const assertionOf = (xml: string) => /<saml:Assertion.*<\/saml:Assertion>/s.exec(xml)?.[0] ?? '';
  const signatureOf = (xml: string) => /<ds:Signature.*<\/ds:Signature>/s.exec(xml)?.[0] ?? '';
  const evil = (xml: string) =>
    assertionOf(xml)
      .replace(signatureOf(xml), '')
      .replace('mallory@', 'admin@')
      .replace(/ID="_a[^"]*"/, 'ID="_evil"');

  it.each<[string, (xml: string) => string, RegExp, number]>([
    ['another NameID', (xml) => xml.replace('mallory@', 'admin@'), /signature is not valid/, 403],
    ['a comment in the NameID', (xml) => xml.replace('mallory@', 'mallory<!---->@'), /SAMLResponse/, 400],
    ['no signature', (xml) => xml.replace(signatureOf(xml), ''), /not signed/, 400],
    ['another audience', (xml) => xml.replace('<saml:Audience>', '<saml:Audience>x'), /signature/, 403],
    [
      'a second assertion before',
      (xml) => xml.replace('<saml:Assertion', `${evil(xml)}<saml:Assertion`),
      /one assertion/,
      400,
    ],
    [
      'a second assertion after',
      (xml) => xml.replace('</samlp:Response>', `${evil(xml)}</samlp:Response>`),
      /one assertion/,
      400,
    ],
    [
      'the signed one inside of a false one',
      (xml) =>
        xml.replace(assertionOf(xml), evil(xml).replace('</saml:Assertion>', `${assertionOf(xml)}</saml:Assertion>`)),
      /one assertion/,
      400,
    ],
    [
      'the signed one in an object of a moved signature',
      (xml) => {
        const moved = signatureOf(xml).replace(
          '</ds:Signature>',
          `<ds:Object>${assertionOf(xml).replace(signatureOf(xml), '')}</ds:Object></ds:Signature>`,
        );
        return xml.replace(assertionOf(xml), evil(xml).replace('</saml:Issuer>', `</saml:Issuer>${moved}`));
      },
      /one assertion/,
      400,
    ],
    [
      'the signed one renamed in extensions',
      (xml) =>
        xml
          .replace(assertionOf(xml), evil(xml).replace('</saml:Issuer>', `</saml:Issuer>${signatureOf(xml)}`))
          .replace(
            '<samlp:Status>',
            `<samlp:Extensions>${assertionOf(xml).replace(signatureOf(xml), '').replaceAll('saml:Assertion', 'saml:Other')}</samlp:Extensions><samlp:Status>`,
          ),
      /signature is not valid/,
      403,
    ],
    [
      'a signature over the wrong ID',
      (xml) => xml.replace(/(<saml:Assertion[^>]*) ID="[^"]*"/, '$1 ID="_x"'),
      /signature/,
      403,
    ],
    ['a DOCTYPE', (xml) => `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${xml}`, /SAMLResponse/, 400],
  ])('is refused after it was tampered with: %s', async (_, change, message, code) => {
    expectRefused(await tampered(change), message, code);
  });

  it('is refused at another provider, of this or of another organization', async () => {
    const sibling = await newProvider(setting.organization, identityProvider);
    const stranger = await newSetting(identityProvider);
    for (const other of [sibling, stranger]) {
      await other.browser.start();
      const redirect = await setting.browser.start();
      const answer = await identityProvider.answer(await setting.browser.metadata(), redirect, { email: newEmail() });
      expectRefused(await other.browser.finish(answer), /no sign-in of this browser is waiting for it/);
      expect((await setting.browser.finish(answer)).status).toBe(200);
    }
    const forOther = await identityProvider.answer(await stranger.browser.metadata(), await setting.browser.start(), {
      email: newEmail(),
    });
    expectRefused(await setting.browser.finish(forOther), /destination/);
  });

  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const laughs = Array.from({ length: 9 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join('');
  it.each([
    ['no base64', '<Response/>', 400],
    ['no XML', base64('hello'), 400],
    ['another document', base64('<html></html>'), 400],
    ['an external entity', base64('<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><r>&x;</r>'), 400],
    ['a billion laughs', base64(`<!DOCTYPE r [<!ENTITY l0 "lol">${laughs}]><r>&l9;</r>`), 400],
    ['nothing', '', 400],
    ['too much', 'A'.repeat(300_000), 413],
  ])('is a 4xx within its time when it is %s', async (_, response, code) => {
    expectRefused(await setting.browser.finish(response), /./, code);
  });

  it.each([
    ['broken', '<'],
    ['deep', '<a>'.repeat(40_000)],
    ['wide', '<a x="1"/>'.repeat(15_000)],
    ['full of attributes', `<a ${Array.from({ length: 15_000 }, (_, at) => `a${at}="1"`).join(' ')}/>`],
    ['another document below', '</samlp:Response><samlp:Response/>'],
  ])('uses up its sign-in, malformed as it is: %s', async (_, rest) => {
    const { browser } = setting;
    const redirect = await browser.start();
    const root = `<samlp:Response InResponseTo="${requestIn(redirect)}">`;
    expectRefused(await browser.finish(base64(root + rest)), /^SAMLResponse: /, 400);
    const honest = await identityProvider.answer(await browser.metadata(), redirect, { email: newEmail() });
    expectRefused(await browser.finish(honest), /no sign-in of this browser is waiting for it/);
  });

  it('is not read at all without the cookie of its browser', async () => {
    const stranger = new Browser(client, setting.provider);
    for (const cookie of ['', 'saml=short', `other=${'x'.repeat(43)}`]) {
      stranger.cookie = cookie;
      for (const response of ['', base64('<html></html>'), 'A'.repeat(300_000)])
        expectRefused(await stranger.finish(response), /No sign-in began in this browser/);
    }
  });

  it('is a form, posted', async () => {
    const path = `/saml/${setting.provider}/acs`;
    const json = await client.post(path, { SAMLResponse: 'x' }, { headers: { accept: 'application/json' } });
    expectRefused(json, /x-www-form-urlencoded/, 415);
    const got = await client.get(path, { headers: { accept: 'application/json' } });
    expectRefused(got, /not allowed here/, 405);
    expect(got.headers.get('allow')).toBe('POST');
  });
});
