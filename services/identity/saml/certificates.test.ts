import { expectLinear } from '../../../shared/testing/processor-time.js';
import { selfSigned } from '../../../test/support/certificate.js';
import { checkCertificates, parseCertificates, validCertificates } from './certificates.js';

const first = selfSigned();
const second = selfSigned();
const expired = selfSigned({ validTo: new Date(Date.now() - 60_000) });
const bare = (pem: string) => pem.replace(/-----[A-Z ]+-----/g, '').trim();

describe('certificates of an identity provider', () => {
  it('are read from PEM, from several PEM blocks and from bare base64', () => {
    const [known] = checkCertificates(first.certificate);
    expect(known).toMatch(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/);
    expect(checkCertificates(bare(first.certificate))).toEqual([known]);
    expect(checkCertificates(bare(first.certificate).replace(/\n/g, ''))).toEqual([known]);
    expect(checkCertificates(first.certificate.replace(/\n/g, '\r\n'))).toEqual([known]);
    const both = checkCertificates(`${first.certificate}\n${second.certificate}`);
    expect(both).toHaveLength(2);
    expect(both[0]).toBe(known);
    expect(parseCertificates(bare(first.certificate)).map(String)).toEqual([first.certificate]);
  });

  it.each([
    ['an expired one', () => expired.certificate, /expired on/],
    ['an expired one next to a valid one', () => first.certificate + expired.certificate, /expired on/],
    ['a short key', () => selfSigned({ bits: 1024 }).certificate, /RSA key of at least 2048 bits/],
    ['another kind of key', () => selfSigned({ kind: 'ec' }).certificate, /RSA key/],
    ['a private key', () => first.privateKey, /PEM certificates/],
    ['a private key next to it', () => first.certificate + first.privateKey, /and nothing else/],
    ['four of them', () => first.certificate.repeat(4), /more than 3/],
    ['words', () => 'my certificate!', /PEM or base64/],
    ['base64 of something else', () => Buffer.from('something else').toString('base64'), /cannot be read/],
    ['an empty block', () => '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----', /PEM or base64/],
    ['a block without an end', () => '-----BEGIN CERTIFICATE-----\nAAAA', /PEM certificates/],
    ['one cut short', () => first.certificate.replace(/\n.{64}\n/, '\n'), /cannot be read/],
    ['white space', () => '   ', /PEM or base64/],
  ])('are refused by name: %s', (_, text, message) => {
    expect(() => checkCertificates(text())).toThrow(message);
    expect(() => checkCertificates(text())).toThrow(/^certificate: /);
  });

  it('are refused in a time by the length of the text only, however many beginnings there are', () => {
    const beginnings = (count: number) => '-----BEGIN CERTIFICATE-----\nA'.repeat(count);
    expectLinear((count) => expect(() => checkCertificates(beginnings(count))).toThrow(), 2500);
  });

  it('verify while they are valid, each by itself', () => {
    const expiring = selfSigned({ validTo: new Date(Date.now() + 60_000) });
    const both = expiring.certificate + first.certificate;
    expect(validCertificates(both, 0).map(String)).toEqual([expiring.certificate, first.certificate]);
    expect(validCertificates(both, 0, Date.now() + 120_000).map(String)).toEqual([first.certificate]);
    expect(validCertificates(both, 0, Date.now() - 10 * 365 * 86_400_000)).toEqual([]);
  });
});
