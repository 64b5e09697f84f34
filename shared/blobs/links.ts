import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Secrets } from '../secrets/secrets.js';

/** A blob as a link offers it. */
export interface LinkedBlob {
  id: string;
  name: string;
}

/** Signed links to blobs: who has one may read that blob, without a token, as images in pages need. */
export interface BlobLinks {
  /** A path that begins with a slash. */
  pathOf(blob: LinkedBlob): string;
  /** The blob of a path and its `signature`, or null. */
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
