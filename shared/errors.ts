/**
 * The closed list of errors. Over the bus branch on `type` (classes do not survive it). Every HTTP answer has the shape
 * `{ error: { code: <status>, message } }`.
 */
export const errorCatalogue = {
  INVALID: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  PRECONDITION_FAILED: 412,
  TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  UNPROCESSABLE: 422,
  RATE_LIMITED: 429,
  INTERNAL: 500,
  NOT_IMPLEMENTED: 501,
  UNAVAILABLE: 503,
  OUTCOME_UNKNOWN: 504,
} as const;

export type ErrorType = keyof typeof errorCatalogue;

export interface Failure {
  type: ErrorType;
  status: number;
  message: string;
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

/** An error for the caller. `message` is shown to people unchanged. */
export const apiError = (type: ErrorType, message: string): ApiError => new ApiError(message, type);

export const invalid = (message: string) => apiError('INVALID', message);
export const forbidden = (message: string) => apiError('FORBIDDEN', message);
export const conflict = (message: string) => apiError('CONFLICT', message);
/** The caller may try again after so many milliseconds; the answer says it in seconds, also as `Retry-After`. */
export function rateLimited(message: string, ms: number): ApiError {
  const retryAfter = Math.max(1, Math.ceil(ms / 1000));
  return new ApiError(`${message}; wait ${retryAfter} s`, 'RATE_LIMITED', { retryAfter });
}
/** `what` is the name of the resource in messages, such as "Space". */
export const notFound = (what: string) => apiError('NOT_FOUND', `${what} not found`);
/** `allow`: the methods of the path, also for the `Allow` header. */
export const methodNotAllowed = (method: string, allow: string[]) =>
  Object.assign(apiError('METHOD_NOT_ALLOWED', `${method} is not allowed here; allowed: ${allow.join(', ')}`), {
    allow,
  });

const busErrors = new Map<string, [ErrorType, string]>([
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
  const { type, message } = (error ?? {}) as { type?: string; message?: string };
  if (type && Object.hasOwn(errorCatalogue, type)) {
    const known = type as ErrorType;
    return { type: known, status: errorCatalogue[known], message: message ?? known };
  }
  const [known, text] = busErrors.get(type ?? '') ?? ['INTERNAL', 'Something went wrong on our side'];
  return { type: known as ErrorType, status: errorCatalogue[known as ErrorType], message: text };
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
