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
  /** The blob of a link; null when no key of the installation signed it. */
  verify(id: string, name: string, signature: string): LinkedBlob | null;
}

export function blobLinks(secrets: Secrets): BlobLinks {
  const { key: current } = secrets.keyFor('blob-links');
  const keys = [...secrets.keysFor('blob-links').values()];
  return {
    pathOf: ({ id, name }) => `/~files/${id}/${encodeURIComponent(name)}?signature=${sign(current, { id, name })}`,
    verify(id, name, signature) {
      const given = Buffer.from(signature);
      const isBy = (key: Buffer) => {
        const expected = Buffer.from(sign(key, { id, name }));
        return given.length === expected.length && timingSafeEqual(given, expected);
      };
      return keys.some(isBy) ? { id, name } : null;
    },
  };
}

const sign = (key: Buffer, { id, name }: LinkedBlob) =>
  createHmac('sha256', key).update(`${id}/${name}`).digest('base64url').slice(0, 32);
