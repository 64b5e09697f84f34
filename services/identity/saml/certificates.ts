import { X509Certificate } from 'node:crypto';
import { invalid } from '../../../shared/errors/errors.js';

const block = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]*)-----END CERTIFICATE-----/g;
const base64 = /^[A-Za-z0-9+/]+={0,2}$/;
const minBits = 2048;
const maxCertificates = 3;

const certificateError = (what: string) => invalid(`certificate: ${what}`);

/** Reads certificates: PEM blocks (several while the provider changes its key), or one certificate in bare base64. */
export function parseCertificates(text: string): X509Certificate[] {
  const bodies = text.includes('-----') ? [...text.matchAll(block)].map(([, body = '']) => body) : [text];
  if (bodies.length === 0 || (text.includes('-----') && text.replace(block, '').trim() !== ''))
    throw certificateError('must be PEM certificates and nothing else, or one certificate in base64');
  if (bodies.length > maxCertificates) throw certificateError(`holds more than ${maxCertificates} certificates`);
  return bodies.map((body) => {
    const packed = body.replace(/\s+/g, '');
    if (!base64.test(packed)) throw certificateError('must be an X.509 certificate, PEM or base64');
    try {
      return new X509Certificate(Buffer.from(packed, 'base64'));
    } catch {
      throw certificateError('cannot be read as an X.509 certificate');
    }
  });
}

/** Returns the SHA-256 fingerprints of the certificates. Throws 400 when one of them cannot verify signatures. */
export function checkCertificates(text: string, now = Date.now()): string[] {
  return parseCertificates(text).map((certificate) => {
    if (!(Date.parse(certificate.validTo) > now)) throw certificateError(`expired on ${certificate.validTo}`);
    if (rsaKeyBits(certificate) < minBits) throw certificateError(`must hold an RSA key of at least ${minBits} bits`);
    return certificate.fingerprint256;
  });
}

/** The certificates that are valid at a time; a clock may differ by `skewMs`. */
export const validCertificates = (text: string, skewMs: number, now = Date.now()): X509Certificate[] =>
  parseCertificates(text).filter(
    ({ validFrom, validTo }) => Date.parse(validFrom) - skewMs <= now && Date.parse(validTo) > now,
  );

function rsaKeyBits(certificate: X509Certificate): number {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey;
    return asymmetricKeyType === 'rsa' ? (asymmetricKeyDetails?.modulusLength ?? 0) : 0;
  } catch {
    return 0;
  }
}
