import { collection } from '../../../../../shared/store/port.js';
import type { UploadKind } from './resources.js';

/** A file that somebody is about to upload, or has uploaded; it is there for a day. */
export interface UploadDocument {
  _id: string;
  organization: string;
  kind: UploadKind;
  name: string;
  /** Its media type, in lower case. */
  type: string;
  /** Bytes. */
  size: number;
  createdAt: string;
  /** Its content, once it was uploaded. It expires, unless something that lasts uses it. */
  blob?: string;
}

export const uploads = collection<UploadDocument>('content_uploads', [
  { on: { organization: 1, createdAt: 1 } },
  { on: { createdAt: 1 } },
]);

const hourMs = 3_600_000;
/** How long an uploaded file may be used. Its content stays a day longer, for what began to use it. */
export const usableMs = 24 * hourMs;
