import {
  MongoBulkWriteError,
  MongoClientClosedError,
  MongoError,
  MongoExpiredSessionError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoOperationTimeoutError,
  MongoServerClosedError,
  MongoServerSelectionError,
  MongoStalePrimaryError,
  MongoTopologyClosedError,
  MongoWriteConcernError,
} from 'mongodb';
import { diskFull, isDiskFull } from '../../../disk/full.js';
import { apiError } from '../../../errors/errors.js';

export type Kind = 'read' | 'write';

/** The error for a call without an answer: a read may be repeated; the outcome of a write is unknown. */
export function noAnswerError(kind: Kind, cause?: unknown): Error {
  const error =
    kind === 'read'
      ? apiError('UNAVAILABLE', 'The document store does not answer; try again later')
      : apiError('OUTCOME_UNKNOWN', 'The document store did not answer in time; the outcome is unknown');
  return cause === undefined ? error : Object.assign(error, { cause });
}

const outages = [
  MongoNetworkError,
  MongoServerSelectionError,
  MongoNotConnectedError,
  MongoTopologyClosedError,
  MongoServerClosedError,
  MongoClientClosedError,
  MongoExpiredSessionError,
  MongoOperationTimeoutError,
  MongoStalePrimaryError,
  MongoWriteConcernError,
];

/** Errors of the connection pool, whose classes the driver does not export. */
const poolErrors = new Set(['MongoWaitQueueTimeoutError', 'MongoPoolClosedError', 'MongoPoolClearedError']);

/** Error codes of a server that is shutting down, unreachable or no longer primary, or that ran out of time. */
const serverCodes = new Set<unknown>([
  6, // HostUnreachable
  7, // HostNotFound
  50, // MaxTimeMSExpired
  64, // WriteConcernFailed
  89, // NetworkTimeout
  91, // ShutdownInProgress
  134, // ReadConcernMajorityNotAvailableYet
  189, // PrimarySteppedDown
  262, // ExceededTimeLimit
  290, // TransactionExceededLifetimeLimitSeconds
  9001, // SocketException
  10058, // LegacyNotPrimary
  10107, // NotWritablePrimary
  11600, // InterruptedAtShutdown
  11602, // InterruptedDueToReplStateChange
  13435, // NotPrimaryNoSecondaryOk
  13436, // NotPrimaryOrSecondary
]);

const labels = ['RetryableWriteError', 'UnknownTransactionCommitResult', 'SystemOverloadedError'];

/** Whether a bulk write failed because the connection was lost, which it reports as an error of its own. */
const isLostBulk = (error: MongoError): boolean =>
  error instanceof MongoBulkWriteError &&
  (error.err !== undefined || (error.code === undefined && [error.writeErrors].flat().length === 0));

/** Whether the driver (7.8, 7.9) let an error of the system through: where it writes to a connection that was reset before it heard of that. */
const isOfSystem = (error: unknown): boolean =>
  typeof (error as { syscall?: unknown } | null | undefined)?.syscall === 'string';

export const isOutage = (error: unknown): boolean =>
  isOfSystem(error) ||
  (error instanceof MongoError &&
    (outages.some((each) => error instanceof each) ||
      poolErrors.has(error.name) ||
      serverCodes.has(error.code) ||
      isLostBulk(error) ||
      labels.some((label) => error.hasErrorLabel(label))));

/** Turns an outage, or a full disk, into the port's error. Other errors come back unchanged. */
export function translateError(kind: Kind, error: unknown): unknown {
  if (isDiskFull(error)) return diskFull('MongoDB', error);
  if (!isOutage(error)) return error;
  const changedNothing = error instanceof MongoError && error.hasErrorLabel('NoWritesPerformed');
  return noAnswerError(changedNothing ? 'read' : kind, error);
}
