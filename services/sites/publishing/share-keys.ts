import { notFound } from '../../../shared/errors/errors.js';
import type { Secrets } from '../../../shared/secrets/secrets.js';
import type { Store } from '../../../shared/store/port.js';
import { newSecret, sha256 } from '../../../shared/values/ids.js';
import { type ShareLinkDocument, shareLinks } from './model.js';

/** Bytes of a key: 16 characters in a URL. */
const keyBytes = 12;

/** Makes the key of a share link, in the forms in which it is stored. */
export function makeShareKey(secrets: Secrets): Pick<ShareLinkDocument, 'hash' | 'sealed'> {
  const key = newSecret(keyBytes);
  return { hash: sha256(key), sealed: secrets.encrypt(key) };
}

interface GivenKey {
  site: string;
  key: string;
}

/** Throws 404 for a key that does not belong to an active share link of this site. */
export async function checkShareKey(store: Store, given: GivenKey): Promise<void> {
  if (!(await isActiveKey(store, given))) throw notFound('Share link');
}

export async function isActiveKey(store: Store, { site, key }: GivenKey): Promise<boolean> {
  const found = await store.findOne(shareLinks, { hash: sha256(key) });
  return found?.site === site && found.active;
}

/** Whether a segment of a path can be a key. */
export const looksLikeKey = (segment: string): boolean => /^[\w-]{16}$/.test(segment);
