/** The kind of the job that removes what hangs on a publication; the room `removal` runs it. */
export const removePublicationKind = 'removePublication';

export interface RemovePublicationPayload {
  publication: string;
  /** The files of its last version. */
  blobs: string[];
  /** Whether it added scripts to sites. */
  scripts: boolean;
}
