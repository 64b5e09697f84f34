import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Secrets } from '../secrets/secrets.js';

/** A blob under the name that its link gives it. */
export interface LinkedBlob {
  id: string;
  name: string;
  /** Bytes at the start of the blob that are no part of the file. */
  skip?: number;
  /** The end of the link, in epoch seconds; without it, the link is valid as long as its key. */
  until?: number;
}

/** Signed links to blobs. Whoever has a link may read its blob without a token, as images in pages require. */
export interface BlobLinks {
  /** The path of a link, with a leading slash. */
  signedPathOf(blob: LinkedBlob): string;
  /** The blob of a link with this query; null when no key of the installation signed it, or it has ended. */
  verify(id: string, name: string, query: URLSearchParams): LinkedBlob | null;
}

export function blobLinks(secrets: Secrets): BlobLinks {
  const { key: current } = secrets.keyFor('blob-links');
  const keys = [...secrets.keysFor('blob-links').values()];
  return {
    signedPathOf(blob) {
      const { id, name, skip = 0, until } = blob;
      const query = new URLSearchParams({
        signature: sign(current, blob),
        ...(skip === 0 ? {} : { skip: String(skip) }),
        ...(until === undefined ? {} : { until: String(until) }),
      });
      return `/~files/${id}/${encodeURIComponent(name)}?${query}`;
    },
    verify(id, name, query) {
      const blob = linkedBlob(id, name, query);
      const given = Buffer.from(query.get('signature') ?? '');
      const isSignedBy = (key: Buffer) => {
        const expected = Buffer.from(sign(key, blob));
        return given.length === expected.length && timingSafeEqual(given, expected);
      };
      return keys.some(isSignedBy) && !hasEnded(blob) ? blob : null;
    },
  };
}

function linkedBlob(id: string, name: string, query: URLSearchParams): LinkedBlob {
  const skip = Number(query.get('skip') ?? 0);
  const until = query.get('until');
  return { id, name, ...(skip === 0 ? {} : { skip }), ...(until === null ? {} : { until: Number(until) }) };
}

const hasEnded = ({ until }: LinkedBlob): boolean => until !== undefined && !(until * 1000 > Date.now());

/** An id has no colon and no at sign, so no name makes the texts of two links equal. */
const textToSign = ({ id, name, skip = 0, until }: LinkedBlob) =>
  `${skip === 0 ? '' : `${skip}:`}${until === undefined ? '' : `${until}@`}${id}/${name}`;

const sign = (key: Buffer, blob: LinkedBlob) =>
  createHmac('sha256', key).update(textToSign(blob)).digest('base64url').slice(0, 32);

export type HasLinks = { links: BlobLinks };
