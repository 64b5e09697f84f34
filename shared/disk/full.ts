import { apiError } from '../errors/errors.js';

/** Error codes for a full disk or a used up quota: of the system, of SQLite and of MongoDB. */
const codes = new Set<unknown>([
  'ENOSPC',
  'EDQUOT',
  'SQLITE_FULL',
  'SQLITE_IOERR_WRITE',
  'SQLITE_IOERR_SHMSIZE',
  14031,
]);

/** Whether an error, or what caused it, says that a disk has no room. */
export function isDiskFull(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  return codes.has(code) || (cause !== undefined && isDiskFull(cause));
}

/** The error for a write that found no room and changed nothing. `what` lies on the disk. */
export const diskFull = (what: string, cause: unknown) =>
  Object.assign(
    apiError('UNAVAILABLE', `The disk of ${what} is full; nothing was changed, try again later`, 'disk_full'),
    {
      cause,
    },
  );
