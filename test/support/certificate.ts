import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** Self-signed X.509 certificates, made by hand, for Node makes none. */

const sized = (length: number): Buffer => {
  if (length < 0x80) return Buffer.from([length]);
  const bytes = Buffer.from(length.toString(16).padStart(length > 0xff ? 4 : 2, '0'), 'hex');
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes]);
};
const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag]), sized(content.length), content]);
};
const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
const time = (date: Date) => der(0x18, Buffer.from(`${date.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`));

const rsaWithSha256 = sequence(Buffer.from('06092a864886f70d01010b', 'hex'), Buffer.from('0500', 'hex'));
const ecdsaWithSha256 = sequence(Buffer.from('06082a8648ce3d040302', 'hex'));
const commonName = Buffer.from('0603550403', 'hex');

export interface Certified {
  /** PEM. */
  certificate: string;
  /** PEM. */
  privateKey: string;
}

interface Options {
  /** The IPv4 address of a server that it is for. */
  address?: string;
  validTo?: Date;
  kind?: 'rsa' | 'ec';
  bits?: number;
}

const day = 86_400_000;

/** The extension that lists the names of a server. */
const namesOf = (address: string) => {
  const names = sequence(der(0x87, Buffer.from(address.split('.').map(Number))));
  return der(0xa3, sequence(sequence(Buffer.from('0603551d11', 'hex'), der(0x04, names))));
};

export function selfSigned({
  address,
  validTo = new Date(Date.now() + 365 * day),
  kind = 'rsa',
  bits = 2048,
}: Options = {}): Certified {
  const { privateKey, publicKey }: { privateKey: KeyObject; publicKey: KeyObject } =
    kind === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: bits })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = kind === 'rsa' ? rsaWithSha256 : ecdsaWithSha256;
  const name = sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from('An identity provider')))));
  const serial = der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)]));
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    serial,
    algorithm,
    name,
    sequence(time(new Date(validTo.getTime() - 3 * 365 * day)), time(validTo)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    ...(address ? [namesOf(address)] : []),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey));
  const lines =
    sequence(body, algorithm, signature)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
