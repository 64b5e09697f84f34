import { notFound } from '../../shared/errors.js';
import { sha256 } from '../../shared/ids.js';
import type { Store } from '../../shared/store/port.js';
import { shareLinks } from './model-publishing.js';

/** 404 for a key that is not of an active link of this site. */
export async function activeShareKey(store: Store, site: string, key: string): Promise<void> {
  if (!(await isActiveKey(store, site, key))) throw notFound('Share link');
}

export async function isActiveKey(store: Store, site: string, key: string): Promise<boolean> {
  const found = await store.findOne(shareLinks, { hash: sha256(key) });
  return found?.site === site && found.active;
}

/** Whether a segment of a path can be a key. */
export const looksLikeKey = (segment: string): boolean => /^[\w-]{16}$/.test(segment);
