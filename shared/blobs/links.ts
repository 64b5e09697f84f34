import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Secrets } from '../secrets/secrets.js';

/** A blob under the name that its link gives it. */
export interface LinkedBlob {
  id: string;
  name: string;
}

/** Signed links to blobs. Whoever has a link may read its blob without a token, as images in pages require. */
export interface BlobLinks {
  /** The path of a link, with a leading slash. */
  pathOf(blob: LinkedBlob): string;
  /** The blob of a link; null when the signature does not match. */
  verify(id: string, name: string, signature: string): LinkedBlob | null;
}

export function blobLinks(secrets: Secrets): BlobLinks {
  const { key } = secrets.keyFor('blob-links');
  const sign = (id: string, name: string) =>
    createHmac('sha256', key).update(`${id}/${name}`).digest('base64url').slice(0, 32);
  return {
    pathOf: ({ id, name }) => `/~files/${id}/${encodeURIComponent(name)}?signature=${sign(id, name)}`,
    verify(id, name, signature) {
      const expected = Buffer.from(sign(id, name));
      const given = Buffer.from(signature);
      return given.length === expected.length && timingSafeEqual(given, expected) ? { id, name } : null;
    },
  };
}
