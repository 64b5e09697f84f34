import type { BlobLinks } from '../../../../shared/blobs/links.js';
import { type ErrorType, errorCatalogue } from '../../../../shared/errors/errors.js';
import { collection } from '../../../../shared/store/port.js';
import type { OrganizationExport } from './resources.js';

/** An export of everything that an organization has in content. */
export interface OrganizationExportDocument {
  _id: string;
  organization: string;
  /** The organization, while the export has not ended: there is one at a time. */
  unended?: string;
  state: OrganizationExport['state'];
  exportedSpaces: number;
  totalSpaces: number;
  /** The archive, and its bytes. */
  blob?: string;
  size?: number;
  /** As an API error. */
  error?: { type: ErrorType; message: string };
  /** The id of a user. */
  createdBy: string;
  createdAt: string;
  updatedAt: string;
  completedAt?: string;
  expiresAt: string;
}

export const organizationExports = collection<OrganizationExportDocument>('content_organization_exports', [
  { on: { organization: 1, createdAt: -1 } },
  { on: { unended: 1 }, unique: true, where: 'unended' },
  { on: { blob: 1 }, where: 'blob' },
]);

/** How long (seconds) an address of an archive is valid. */
const downloadSeconds = 3600;

export function presentExport(
  { baseUrl, links }: { baseUrl: string; links: BlobLinks },
  { _id: id, organization, unended: _, blob, error, ...shown }: OrganizationExportDocument,
): OrganizationExport {
  const until = Math.floor(Date.now() / 1000) + downloadSeconds;
  return {
    object: 'organization-export',
    id,
    ...shown,
    ...(error ? { error: { code: errorCatalogue[error.type], message: error.message } } : {}),
    urls: {
      location: `${baseUrl}/v1/orgs/${organization}/exports/${id}`,
      ...(blob ? { download: `${baseUrl}${links.signedPathOf({ id: blob, name: `bindery-${id}.zip`, until })}` } : {}),
    },
  };
}
