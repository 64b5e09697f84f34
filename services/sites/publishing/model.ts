import { type Collection, collection, type Write, write } from '../../../shared/store/port.js';
import type { AdaptiveSchema } from './resources.js';

export interface ShareLinkDocument {
  _id: string;
  site: string;
  name: string;
  active: boolean;
  /** SHA-256 of the key. */
  hash: string;
  /** The key, encrypted. */
  sealed: string;
  createdAt: string;
}

/** How visitors of a site are identified; `_id` is that of the site. */
export interface PublishingDocument {
  _id: string;
  backend: 'custom' | 'integration';
  integration?: string;
  fallbackURL?: string;
  /** The private key, encrypted. */
  sealed: string;
  schema?: AdaptiveSchema;
  schemaUpdatedAt?: string;
}

export const shareLinks = collection<ShareLinkDocument>('sites_share_links', [
  { on: { hash: 1 }, unique: true },
  { on: { site: 1, createdAt: 1 } },
]);
export const publishing = collection<PublishingDocument>('sites_publishing');

export const publishingCollections = [shareLinks, publishing] as Collection<never>[];

/** The writes that delete what this room stores of a site. */
export const publishingDeletion = (site: string): Write[] => [
  write.delete(publishing, { _id: site }),
  write.delete(shareLinks, { site }),
];
