import { type ErrorType, errorCatalogue } from '../../../../../shared/errors/errors.js';
import { collection } from '../../../../../shared/store/port.js';
import type { Problem } from '../problems.js';
import type { ContentImport, ImportSource } from './resources.js';

/** An import of content from a URL. */
export interface ContentImportDocument {
  _id: string;
  organization: string;
  space: string;
  changeRequest?: string;
  page?: string;
  source: ImportSource;
  /** Without credentials and query, which may be secret; the name of a file that was sent. */
  url: string;
  /** The blob of a file that was sent or uploaded. */
  upload?: string;
  /** The key of a file that was uploaded. */
  key?: string;
  /** The site that it is for, as its starter said. */
  site?: string;
  state: ContentImport['state'];
  importedResources: number;
  totalResources: number;
  revision?: string;
  problems?: Problem[];
  /** As an API error. */
  error?: { type: ErrorType; message: string };
  /** The id of a user. */
  createdBy: string;
  /** The installation of an integration that started it. */
  installation?: string;
  /** The tunnel to the developer of the integration by which it was started. */
  tunnel?: string;
  createdAt: string;
  updatedAt: string;
  completedAt?: string;
}

export const contentImports = collection<ContentImportDocument>('content_imports', [
  { on: { organization: 1, space: 1, createdAt: -1 } },
  { on: { organization: 1, createdAt: -1 } },
  { on: { space: 1, createdAt: 1 } },
]);

/** The states of an import that has not ended. */
export const unended = ['pending', 'in-progress'] as const;

export const hasEnded = ({ state }: Pick<ContentImportDocument, 'state'>): boolean =>
  !(unended as readonly string[]).includes(state);

export function presentImport(
  baseUrl: string,
  {
    _id: id,
    organization,
    error,
    installation: _,
    tunnel: __,
    upload: ___,
    key: ____,
    site: _____,
    ...shown
  }: ContentImportDocument,
): ContentImport {
  return {
    object: 'import',
    id,
    ...shown,
    ...(error ? { error: { code: errorCatalogue[error.type], message: error.message } } : {}),
    urls: { location: `${baseUrl}/v1/orgs/${organization}/imports/${id}` },
  };
}
