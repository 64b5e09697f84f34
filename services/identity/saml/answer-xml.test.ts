import { expectLinear } from '../../../shared/testing/processor-time.js';
import { decodeAnswer, readAnswer, readRequestId } from './answer-xml.js';

const success = '<p:Status><p:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></p:Status>';
const algorithm = (uri: string) => `<ds:SignatureMethod Algorithm="${uri}"/>`;
const sha256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
const signature = (inside = algorithm(sha256)) =>
  `<ds:Signature><ds:SignedInfo>${inside}</ds:SignedInfo></ds:Signature>`;
const assertion = (inside = signature(), id = 'a') =>
  `<a:Assertion ID="${id}"><a:Issuer>me</a:Issuer>${inside}</a:Assertion>`;
const response = (inside: string, attributes = ' ID="r" InResponseTo="_q" Destination="https://b/acs"') =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<p:Response${attributes}>${inside}</p:Response>\n`;

describe('the answer of an identity provider', () => {
  it('is read without being believed', () => {
    expect(readAnswer(response(success + assertion()))).toEqual({
      destination: 'https://b/acs',
      status: 'Success',
    });
    expect(readAnswer(response(success + assertion(), ''))).toEqual({ status: 'Success' });
    expect(readAnswer(response(signature() + success + assertion())).status).toBe('Success');
  });

  it('tells why the provider let nobody in, assertion or not', () => {
    const denied = success.replace('Success', 'AuthnFailed');
    expect(readAnswer(response(denied)).status).toBe('AuthnFailed');
    expect(readAnswer(response(denied.replace('AuthnFailed', '&lt;b&gt;')))).toMatchObject({ status: 'ltbgt' });
    expect(readAnswer(response('')).status).toBe('');
  });

  it.each([
    ['a DOCTYPE', `<!DOCTYPE p:Response>${response(success + assertion())}`],
    ['an external entity', `<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><Response>&x;</Response>`],
    ['a comment', response(`${success}<!-- -->${assertion()}`)],
    ['CDATA', response(`${success}<![CDATA[x]]>${assertion()}`)],
    ['a processing instruction', response(`${success}<?x y?>${assertion()}`)],
    ['an unknown entity', response(`${success}&nbsp;${assertion()}`)],
    ['an entity named like a member of every object', response(`${success}&constructor;${assertion()}`)],
    ['a bare ampersand', response(`${success} & ${assertion()}`)],
    ['an unclosed element', `<Response>${success}`],
    ['crossed elements', '<Response><a><b></a></b></Response>'],
    ['two roots', `${response(success + assertion())}<Response/>`],
    ['text after the root', `${response(success + assertion())}x`],
    ['an attribute without quotes', response(success + assertion()).replace('"r"', 'r')],
    ['nothing', ''],
    ['no XML', 'hello'],
    ['another message', '<p:LogoutResponse/>'],
    ['no assertion', response(success)],
    ['two assertions', response(success + assertion() + assertion(signature(), 'b'))],
    ['an assertion within another', response(success + assertion(signature() + assertion(signature(), 'b')))],
    ['an assertion in a wrapper', response(`${success}<x>${assertion()}</x>`)],
    ['an assertion in a signature', response(success + assertion(signature() + signature(assertion('', 'b'))))],
    ['an unsigned assertion', response(success + assertion(''))],
    ['an unsigned assertion in a signed response', response(signature() + success + assertion(''))],
    ['two signatures', response(success + assertion(signature() + signature()))],
    ['a signature elsewhere', response(`${success}${assertion()}<x>${signature()}</x>`)],
    ['one ID twice', response(success + assertion(signature(), 'r'))],
    ['one ID in another spelling', response(`${success}<x Id="a"/>${assertion()}`)],
    ['an encrypted assertion', response(`${success}<a:EncryptedAssertion/>`)],
    ['SHA-1', response(success + assertion(signature(algorithm('http://www.w3.org/2000/09/xmldsig#rsa-sha1'))))],
    ['SHA-1 in disguise', response(success + assertion(signature(algorithm(sha256.replace('256', '&#49;')))))],
    ['HMAC', response(success + assertion(signature(algorithm('http://www.w3.org/2000/09/xmldsig#hmac-sha1'))))],
    ['XSLT', response(success + assertion(signature(algorithm('http://www.w3.org/TR/1999/REC-xslt-19991116'))))],
  ])('is refused when it holds %s', (_, xml) => {
    expect(() => readAnswer(xml)).toThrow(/^SAMLResponse: /);
  });

  it.each([
    ['elements', response('<a/>'.repeat(600))],
    ['elements in each other', '<a>'.repeat(100)],
    ['attributes', `<Response${Array.from({ length: 1201 }, (_, at) => ` a${at}="1"`).join('')}/>`],
  ])('is refused when it holds too many %s', (_, xml) => {
    expect(() => readAnswer(xml)).toThrow(/^SAMLResponse: .*more elements than an answer may have/);
  });

  it.each<[string, (count: number) => string]>([
    ['elements', (count) => response('<a/>'.repeat(count))],
    ['ever deeper elements', (count) => '<a>'.repeat(count)],
    ['attributes', (count) => `<Response${Array.from({ length: count }, (_, at) => ` a${at}="1"`).join('')}/>`],
    ['characters of an attribute', (count) => `<Response a="${'a'.repeat(count)}"/>`],
    ['characters of a tag', (count) => `<Response ${'a'.repeat(count)}`],
    ['blanks', (count) => `<Response ${' '.repeat(count)}!`],
    ['beginnings', (count) => '<'.repeat(count)],
    ['quotes', (count) => `<Response a="${"'\t".repeat(count)}`],
  ])('is refused in a time by its length only when it holds many %s', (_, xmlOf) => {
    expectLinear((count) => expect(() => readAnswer(xmlOf(count))).toThrow(/^SAMLResponse: /), 12_500);
  });

  it('names its request in its root, whatever follows', () => {
    const named = (xml: string) => readRequestId(Buffer.from(xml).toString('base64'));
    const xml = response(success + assertion());
    expect(named(xml)).toBe('_q');
    expect(named(response(success, ''))).toBe('');
    expect(readRequestId(Buffer.from(xml).toString('base64').replace(/.{76}/g, '$&\r\n'))).toBe('_q');
    expect(named(`<Response InResponseTo="_q"><Response InResponseTo="_other">${'é'.repeat(100_000)}`)).toBe('_q');
    for (const other of ['', 'hello', '<Assertion/>', '<!DOCTYPE r><Response/>', `<Response${' '.repeat(200_000)}/>`])
      expect(() => named(other)).toThrow(/^SAMLResponse: not a SAML response/);
  });

  it('comes in base64, broken into lines or not', () => {
    const xml = response(success + assertion());
    const base64 = Buffer.from(xml).toString('base64');
    expect(decodeAnswer(base64)).toBe(xml);
    expect(decodeAnswer(base64.replace(/.{76}/g, '$&\r\n'))).toBe(xml);
    for (const field of ['', '<xml/>', '%%%', '====', Buffer.from([0xff, 0xfe, 0x3c]).toString('base64')])
      expect(() => decodeAnswer(field)).toThrow(/^SAMLResponse: /);
  });
});
