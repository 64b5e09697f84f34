import { collection } from '../../../../shared/store/port.js';

/** The bytes that an organization, or one of its spaces, has stored; `_id` is the id of either. */
export interface UsageDocument {
  _id: string;
  organization: string;
  kind: 'organization' | 'space';
  bytes: number;
  /** Only for a space: the numbers of commits and of removals of unreached content. Each checks the other, so neither goes unnoticed. */
  commits?: number;
  sweeps?: number;
  /** When unreached content was last looked for, and the commits by then. */
  tidiedAt?: string;
  tidied?: number;
}

/** The use of a blob by a space; `_id` is `<space>:<blob>`. */
export interface BlobUseDocument {
  _id: string;
  space: string;
  blob: string;
  bytes: number;
}

/** The number of spaces that use a blob. An unused blob is deleted after a while. */
export interface BlobCountDocument {
  _id: string;
  uses: number;
  unusedSince?: string;
  /** No use may begin any more. */
  deleting?: true;
}

/** When unused blobs were last collected; one document. */
export interface CollectorDocument {
  _id: string;
  startedAt: string;
}

export const usages = collection<UsageDocument>('content_usages');
export const blobUses = collection<BlobUseDocument>('content_blob_uses', [{ on: { space: 1 } }]);
export const blobCounts = collection<BlobCountDocument>('content_blob_counts', [
  { on: { unusedSince: 1 }, where: 'unusedSince' },
]);
export const collectors = collection<CollectorDocument>('content_collectors');

export const blobUseId = (space: string, blob: string) => `${space}:${blob}`;
