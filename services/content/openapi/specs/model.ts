import { collection } from '../../../../shared/store/port.js';
import type { Owner } from '../../core/storage/ledger.js';
import type { processErrorCodes, processingStates, visibilities } from '../resources.js';

/** Where a specification comes from. `url`, which may carry credentials, is encrypted. A text is kept as a blob until it is processed. */
export type StoredSource = { kind: 'url'; url: string } | { kind: 'text'; blob?: string };

export interface SpecDocument {
  _id: string;
  organization: string;
  slug: string;
  visibility: (typeof visibilities)[number];
  source: StoredSource;
  /** Names the last request to process the source: only its job may write what comes of it. */
  check: string;
  processingState: (typeof processingStates)[number];
  lastProcessedAt?: string;
  lastProcessError?: { code: (typeof processErrorCodes)[number]; message: string };
  /** The id of the latest version. */
  lastVersion?: string;
  createdAt: string;
  updatedAt: string;
}

/** A version of a specification: its content from `createdAt` on. */
export interface SpecVersionDocument {
  _id: string;
  spec: string;
  /** The blob of the specification: one file of OpenAPI 3.1, as JSON. Its id is equal for equal content. */
  file: string;
  /** The blob of its `SpecOutline`, as JSON. */
  outline: string;
  /** The blob of its `OpenAPISpecRawContent`, as JSON; of versions of earlier releases there is none. */
  raw?: string;
  createdAt: string;
}

export const specs = collection<SpecDocument>('content_openapi_specs', [
  { on: { organization: 1, slug: 1 }, unique: true },
]);
export const specVersions = collection<SpecVersionDocument>('content_openapi_versions', [
  { on: { spec: 1, createdAt: -1 } },
]);

/** The owner that the ledger counts a specification under: its id takes the place of a space's. */
export const ownerOf = ({ _id: space, organization }: Pick<SpecDocument, '_id' | 'organization'>): Owner => ({
  organization,
  space,
});
