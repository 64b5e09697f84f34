import { type ErrorReason, type ErrorType, errorCatalogue, type ReasonOf, reasonOf } from './error-catalogue.js';

export interface Failure {
  type: ErrorType;
  status: number;
  message: string;
  reason: ErrorReason;
}

/** As the bus has them: each process that makes one of its own need not load the bus. */
class ApiError extends Error {
  static {
    // The name by which the bus makes it anew in another process.
    Object.defineProperty(ApiError.prototype, 'name', { value: 'MoleculerError' });
  }
  readonly code: number;
  readonly retryable = false;

  constructor(
    message: string,
    readonly type: ErrorType,
    readonly data?: unknown,
  ) {
    super(message);
    this.code = errorCatalogue[type];
  }
}

/** An error for the caller. `message` is shown to people unchanged; programs branch on `reason`, by default that of the type. */
export const apiError = <T extends ErrorType>(type: T, message: string, reason?: ReasonOf<T>): ApiError =>
  new ApiError(message, type, reason && { reason });

export const invalid = (message: string, reason?: ReasonOf<'INVALID'>) => apiError('INVALID', message, reason);
export const forbidden = (message: string, reason?: ReasonOf<'FORBIDDEN'>) => apiError('FORBIDDEN', message, reason);
export const conflict = (message: string, reason?: ReasonOf<'CONFLICT'>) => apiError('CONFLICT', message, reason);
/** A 429: the caller may try again after `ms`, which the answer gives in seconds, also as `Retry-After`. */
export function rateLimited(message: string, ms: number, reason?: ReasonOf<'RATE_LIMITED'>): ApiError {
  const retryAfter = Math.max(1, Math.ceil(ms / 1000));
  return new ApiError(`${message}; wait ${retryAfter} s`, 'RATE_LIMITED', { retryAfter, reason });
}
/** `what` is the name of the resource in messages, such as "Space". */
export const notFound = (what: string) => apiError('NOT_FOUND', `${what} not found`);
/** `allow`: the methods of the path, also for the `Allow` header. */
export const methodNotAllowed = (method: string, allow: string[]) =>
  Object.assign(apiError('METHOD_NOT_ALLOWED', `${method} is not allowed here; allowed: ${allow.join(', ')}`), {
    allow,
  });

const busErrors = new Map<string, readonly [ErrorType, string]>([
  ['SERVICE_NOT_FOUND', ['UNAVAILABLE', 'The service behind this operation is not running; try again later']],
  ['SERVICE_NOT_AVAILABLE', ['UNAVAILABLE', 'The service behind this operation is not available; try again later']],
  [
    'REQUEST_REJECTED',
    ['OUTCOME_UNKNOWN', 'The service behind this operation stopped before it answered; the outcome is unknown'],
  ],
  [
    'NODE_DISCONNECTED',
    ['OUTCOME_UNKNOWN', 'The service behind this operation stopped before it answered; the outcome is unknown'],
  ],
  ['QUEUE_FULL', ['UNAVAILABLE', 'Too many requests are waiting; try again later']],
  ['REQUEST_TIMEOUT', ['OUTCOME_UNKNOWN', 'The request took too long; its outcome is unknown']],
  ['REQUEST_SKIPPED', ['OUTCOME_UNKNOWN', 'The request took too long; its outcome is unknown']],
]);

/** The failure that a caller sees for any thrown value. One that is not in the catalogue is INTERNAL, without detail. */
export function failureOf(error: unknown): Failure {
  const { type, message, data } = (error ?? {}) as { type?: string; message?: string; data?: unknown };
  const isOurs = type !== undefined && Object.hasOwn(errorCatalogue, type);
  const [known, text] = isOurs
    ? [type as ErrorType, message ?? type]
    : (busErrors.get(type ?? '') ?? (['INTERNAL', 'Something went wrong on our side'] as const));
  return { type: known, status: errorCatalogue[known], message: text, reason: reasonOf(known, isOurs ? data : null) };
}

/** Marks the error of a job that another attempt would end with too, and that is no fault of this code. */
export const lasting = <E extends Error>(error: E): E => Object.assign(error, { permanent: true, expected: true });

/** Whether an error is an answer by design and not a fault of this code. */
export const isExpected = (error: unknown): boolean => failureOf(error).type !== 'INTERNAL';

/** Rethrows a failure of a call that changes nothing: an unknown outcome becomes UNAVAILABLE, so the caller may try again. */
export function untouched(error: unknown): never {
  if (failureOf(error).type !== 'OUTCOME_UNKNOWN') throw error;
  throw Object.assign(apiError('UNAVAILABLE', 'The services did not answer in time; try again'), { cause: error });
}

/** The cause of a 503 or 504, for the log: "service content is not available". */
export function outageOf(error: unknown): string {
  const { type, data } = (error ?? {}) as { type?: string; data?: { action?: string } | null };
  const service = data?.action?.split('.', 1)[0];
  if (service && type === 'REQUEST_TIMEOUT') return `service ${service} does not answer`;
  if (service && type && busErrors.has(type)) return `service ${service} is not available`;
  const cause = (error as { cause?: unknown } | null)?.cause;
  return type === 'UNAVAILABLE' && isExpected(cause) ? outageOf(cause) : failureOf(error).message;
}
