import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Secrets } from '../secrets/secrets.js';

/** A blob under the name that its link gives it. */
export interface LinkedBlob {
  id: string;
  name: string;
  /** Bytes at the start of the blob that are no part of the file. */
  skip?: number;
}

/** Signed links to blobs. Whoever has a link may read its blob without a token, as images in pages require. */
export interface BlobLinks {
  /** The path of a link, with a leading slash. */
  signedPathOf(blob: LinkedBlob): string;
  /** The blob of a link; null when no key of the installation signed it. */
  verify(id: string, name: string, signature: string, skip?: number): LinkedBlob | null;
}

export function blobLinks(secrets: Secrets): BlobLinks {
  const { key: current } = secrets.keyFor('blob-links');
  const keys = [...secrets.keysFor('blob-links').values()];
  return {
    signedPathOf(blob) {
      const { id, name, skip = 0 } = blob;
      const path = `/~files/${id}/${encodeURIComponent(name)}?signature=${sign(current, blob)}`;
      return skip === 0 ? path : `${path}&skip=${skip}`;
    },
    verify(id, name, signature, skip = 0) {
      const given = Buffer.from(signature);
      const isSignedBy = (key: Buffer) => {
        const expected = Buffer.from(sign(key, { id, name, skip }));
        return given.length === expected.length && timingSafeEqual(given, expected);
      };
      return keys.some(isSignedBy) ? { id, name, ...(skip === 0 ? {} : { skip }) } : null;
    },
  };
}

/** An id has no colon, so no name makes the texts of two links equal. */
const textToSign = ({ id, name, skip = 0 }: LinkedBlob) => `${skip === 0 ? '' : `${skip}:`}${id}/${name}`;

const sign = (key: Buffer, blob: LinkedBlob) =>
  createHmac('sha256', key).update(textToSign(blob)).digest('base64url').slice(0, 32);

export type HasLinks = { links: BlobLinks };
