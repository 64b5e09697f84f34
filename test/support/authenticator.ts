import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest();
const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');

/** Instead of what an honest browser and its authenticator do. */
interface Oddities {
  origin?: string;
  rpId?: string;
  challenge?: string;
  type?: string;
  /** Neither asked nor checked who is there. */
  unverified?: boolean;
  counter?: number;
  userHandle?: string;
  /** Signs with another key. */
  key?: KeyObject;
  attestation?: Map<string, unknown>;
  format?: string;
  /** The COSE algorithm that the key claims. */
  algorithm?: number;
}

interface Asked {
  challenge: string;
  rp?: { id?: string };
  rpId?: string;
  user?: { id: string };
}

/** A passkey of a software authenticator, in the hands of a browser: WebAuthn in JSON, by ES256. */
export class Authenticator {
  readonly id = base64url(randomBytes(32));
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  private userHandle = '';
  /** Counts its uses, as hardware keys do; synced passkeys stay at 0. */
  private counter = 0;

  constructor(
    readonly origin: string,
    private readonly counts = true,
  ) {}

  /** The answer to `navigator.credentials.create`. */
  create(asked: Asked, odd: Oddities = {}): Record<string, unknown> {
    this.userHandle = asked.user?.id ?? '';
    const authData = Buffer.concat([this.dataOf(asked.rp?.id ?? '', odd, 0x40), this.attested(odd.algorithm ?? -7)]);
    const attestation = new Map<string, unknown>([
      ['fmt', odd.format ?? 'none'],
      ['attStmt', odd.attestation ?? new Map()],
      ['authData', new Uint8Array(authData)],
    ]);
    return this.answer({
      clientDataJSON: this.clientData('webauthn.create', asked, odd),
      attestationObject: base64url(isoCBOR.encode(attestation as never)),
      transports: ['internal'],
    });
  }

  /** The answer to `navigator.credentials.get`. */
  get(asked: Asked, odd: Oddities = {}): Record<string, unknown> {
    const authenticatorData = this.dataOf(asked.rpId ?? '', odd, 0);
    const clientDataJSON = this.clientData('webauthn.get', asked, odd);
    const signed = Buffer.concat([authenticatorData, sha256(Buffer.from(clientDataJSON, 'base64url'))]);
    return this.answer({
      clientDataJSON,
      authenticatorData: base64url(authenticatorData),
      signature: base64url(sign('sha256', signed, odd.key ?? this.keys.privateKey)),
      userHandle: odd.userHandle ?? this.userHandle,
    });
  }

  private answer(response: object): Record<string, unknown> {
    return { id: this.id, rawId: this.id, type: 'public-key', clientExtensionResults: {}, response };
  }

  private clientData(type: string, { challenge }: Asked, odd: Oddities): string {
    const data = {
      type,
      challenge,
      origin: this.origin,
      crossOrigin: false,
      ...only(odd, ['type', 'challenge', 'origin']),
    };
    return Buffer.from(JSON.stringify(data)).toString('base64url');
  }

  private dataOf(rpId: string, { rpId: other, unverified, counter }: Oddities, flags: number): Buffer {
    if (this.counts) this.counter += 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter ?? this.counter);
    return Buffer.concat([sha256(other ?? rpId), Buffer.from([flags | 0x01 | (unverified ? 0 : 0x04)]), count]);
  }

  private attested(algorithm: number): Buffer {
    const { x = '', y = '' } = this.keys.publicKey.export({ format: 'jwk' });
    const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'));
    const key = new Map<number, number | Uint8Array>([
      [1, 2],
      [3, algorithm],
      [-1, 1],
      [-2, bytes(x)],
      [-3, bytes(y)],
    ]);
    const id = Buffer.from(this.id, 'base64url');
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    return Buffer.concat([Buffer.alloc(16), length, id, isoCBOR.encode(key as never)]);
  }
}

const only = (odd: Oddities, names: (keyof Oddities)[]) =>
  Object.fromEntries(names.flatMap((name) => (odd[name] === undefined ? [] : [[name, odd[name]]])));
