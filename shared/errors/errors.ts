/**
 * The closed list of errors. Over the bus branch on `type` (classes do not survive it). Every HTTP answer has the shape
 * `{ error: { code: <status>, message, reason } }`.
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

/**
 * The reason of every error answer: its type and its meaning. Stable words for programs; `docs/api/errors.md` is generated from this table.
 * A reason reveals no more than the message beside it. The first one of a type is its default.
 */
export const errorReasons = {
  invalid_request: ['INVALID', 'The request is wrong; the message names the field'],
  change_request_closed: ['INVALID', 'The change request is merged or archived and cannot be changed'],
  last_admin: ['INVALID', 'An organization keeps at least one admin'],
  list_page_unknown: ['INVALID', 'The list has changed, or `page` is of another list: start again without `page`'],
  space_locked: ['INVALID', 'The space is not edited live: write to a change request'],
  specification_exists: ['INVALID', 'There is an OpenAPI specification with this slug: change it with PUT'],

  unauthenticated: ['UNAUTHENTICATED', 'The operation needs a token'],
  invalid_token: ['UNAUTHENTICATED', 'The token is malformed, unknown, revoked or expired: get a new one'],
  visitor_access_ended: ['UNAUTHENTICATED', 'The visitor behind the content token has no access any more'],
  visitor_unauthenticated: ['UNAUTHENTICATED', 'The site needs a valid visitor token'],

  forbidden: ['FORBIDDEN', 'You may see it, but not do this'],
  ai_disabled: ['FORBIDDEN', 'The organization or the site has switched it off'],
  invite_links_disabled: ['FORBIDDEN', 'The organization has switched its invite links off'],
  membership_disabled: ['FORBIDDEN', 'The membership is switched off'],
  missing_right: ['FORBIDDEN', 'You lack the right or role that the message names'],
  missing_scope: ['FORBIDDEN', 'The integration does not declare the scope that the message names'],
  name_reserved: ['FORBIDDEN', 'Another organization uses this name'],
  origin_not_allowed: ['FORBIDDEN', 'The `Origin` is no address of the site'],
  role_above_own: ['FORBIDDEN', 'You may not give a role above your own'],
  sign_in_rejected: ['FORBIDDEN', 'Nobody was signed in; the message says why'],
  single_sign_on_required: ['FORBIDDEN', 'The organization requires single sign-on'],
  token_kind_not_allowed: ['FORBIDDEN', 'The operation is not open to this kind of token'],
  token_of_one_organization: ['FORBIDDEN', 'The token is valid for its own organization only'],

  not_found: ['NOT_FOUND', 'It does not exist, or you may not see it'],
  revision_not_kept: ['NOT_FOUND', 'The revision is no longer kept'],
  sign_in_link_expired: ['NOT_FOUND', 'The sign-in link is unknown, used or expired: request a new one'],

  method_not_allowed: ['METHOD_NOT_ALLOWED', 'The path exists, the method does not; `Allow` lists the allowed methods'],

  conflict: ['CONFLICT', 'Another request has changed it meanwhile: read it again and retry'],
  already_installed: ['CONFLICT', 'The integration is installed there already'],
  answer_lost: ['CONFLICT', 'The first request with this `Idempotency-Key` was applied, but its answer is lost'],
  last_single_sign_on_provider: [
    'CONFLICT',
    'The organization requires single sign-on, and this is its last active provider',
  ],
  limit_reached: ['CONFLICT', 'There are as many as there may be: delete some first'],
  quota_exceeded: ['CONFLICT', 'The organization or the place stores as much as it may'],
  revision_outdated: ['CONFLICT', 'The content has changed since the `revision` of the request: read it again'],
  taken: ['CONFLICT', 'Something else has this name, path or address: choose another one'],
  wrong_state: ['CONFLICT', 'Its state does not allow this, such as cancelling an import that has ended'],

  precondition_failed: ['PRECONDITION_FAILED', 'The installation is not set up for this'],
  in_use: ['PRECONDITION_FAILED', 'Something else needs it where it is; the message says what'],
  not_uploaded: ['PRECONDITION_FAILED', 'No file was uploaded under the key within a day: upload it again'],
  mail_not_configured: ['PRECONDITION_FAILED', 'The installation sends no mail'],
  model_not_configured: ['PRECONDITION_FAILED', 'The installation asks no model: `MODEL_URL` is not set'],

  too_large: ['TOO_LARGE', 'The body or a text in it is too large'],

  unsupported_media_type: ['UNSUPPORTED_MEDIA_TYPE', 'The body is not declared as JSON, or is encoded'],

  unprocessable: ['UNPROCESSABLE', 'It can be read but not done'],
  format_not_supported: ['UNPROCESSABLE', 'Bindery does not take this form of a document: send Markdown'],
  idempotency_key_reused: ['UNPROCESSABLE', 'This `Idempotency-Key` was used for another request'],
  integration_failed: ['UNPROCESSABLE', 'The script of the integration failed, or its answer is wrong'],
  too_complex: ['UNPROCESSABLE', 'It takes more time or memory than is allowed: make it smaller'],

  rate_limited: ['RATE_LIMITED', 'Too many requests; `Retry-After` says when to continue'],
  idempotency_keys_exhausted: ['RATE_LIMITED', 'No more answers are kept today: send the request without a key'],
  mail_limit_reached: ['RATE_LIMITED', 'As many invites by mail were sent as may be: send the rest later'],
  model_limit_reached: [
    'RATE_LIMITED',
    'As much was asked of the model as may be; `Retry-After` says when to continue',
  ],
  too_many_jobs: ['RATE_LIMITED', 'Too many imports, exports or tasks of the organization are waiting'],

  internal_error: ['INTERNAL', 'A fault of Bindery; its log has the request id'],

  not_implemented: ['NOT_IMPLEMENTED', 'The public API has this operation, Bindery does not have it yet'],

  unavailable: ['UNAVAILABLE', 'A service or a store does not answer, nothing was changed: try again'],
  busy: ['UNAVAILABLE', 'Too much is under way, nothing was changed: try again later'],
  model_failed: ['UNAVAILABLE', 'The model of the installation did not answer, or not in time'],
  disk_full: ['UNAVAILABLE', 'A disk of the installation is full, nothing was changed'],
  first_request_failed: ['UNAVAILABLE', 'The first request with this `Idempotency-Key` failed: repeat it'],
  took_too_long: ['UNAVAILABLE', 'Processing took longer than is allowed: try again later, or make it smaller'],

  outcome_unknown: ['OUTCOME_UNKNOWN', 'It may or may not have been done: read before you repeat it'],
  request_under_way: [
    'OUTCOME_UNKNOWN',
    'The first request with this `Idempotency-Key` is still under way: repeat it later',
  ],
} as const satisfies Record<string, readonly [type: ErrorType, meaning: string]>;

export type ErrorReason = keyof typeof errorReasons;

/** The reasons that an error of a type may have. */
export type ReasonOf<T extends ErrorType> = {
  [R in ErrorReason]: (typeof errorReasons)[R][0] extends T ? R : never;
}[ErrorReason];

const defaults = new Map<ErrorType, ErrorReason>();
for (const [reason, [type]] of Object.entries(errorReasons))
  if (!defaults.has(type)) defaults.set(type, reason as ErrorReason);

/** The reason of an error as the bus carried it; the default of its type where a process of an earlier or later release sent none or an unknown one. */
export function sentReason(type: ErrorType, data: unknown): ErrorReason {
  const sent = (data as { reason?: unknown } | null | undefined)?.reason;
  const isKnown = typeof sent === 'string' && Object.hasOwn(errorReasons, sent);
  return isKnown && errorReasons[sent as ErrorReason][0] === type
    ? (sent as ErrorReason)
    : (defaults.get(type) as ErrorReason);
}

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
    const { stackTraceLimit } = Error;
    // Nobody reads the stack of a refusal, and to take it costs more than most refusals.
    if (errorCatalogue[type] < 500) Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.code = errorCatalogue[type];
  }
}

/** An error for the caller. `message` is shown to people unchanged; programs branch on `reason`, by default that of the type. */
export const apiError = <T extends ErrorType>(type: T, message: string, reason?: ReasonOf<T>): ApiError =>
  new ApiError(message, type, reason && { reason });

export const invalid = (message: string, reason?: ReasonOf<'INVALID'>) => apiError('INVALID', message, reason);
export const forbidden = (message: string, reason?: ReasonOf<'FORBIDDEN'>) => apiError('FORBIDDEN', message, reason);
export const conflict = (message: string, reason?: ReasonOf<'CONFLICT'>) => apiError('CONFLICT', message, reason);
export const invalidToken = () =>
  apiError('UNAUTHENTICATED', 'The token is not valid: unknown, revoked or expired', 'invalid_token');
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
  return { type: known, status: errorCatalogue[known], message: text, reason: sentReason(known, isOurs ? data : null) };
}

/** Marks the error of a job that another attempt would end with too, and that is no fault of this code. */
export const markLasting = <E extends Error>(error: E): E => Object.assign(error, { permanent: true, expected: true });

/** Whether an error is an answer by design and not a fault of this code. */
export const isExpected = (error: unknown): boolean => failureOf(error).type !== 'INTERNAL';

/** Rethrows a failure of a call that changes nothing: an unknown outcome becomes UNAVAILABLE, so the caller may try again. */
export function rethrowUnchanged(error: unknown): never {
  if (failureOf(error).type !== 'OUTCOME_UNKNOWN') throw error;
  throw Object.assign(apiError('UNAVAILABLE', 'The services did not answer in time; try again'), { cause: error });
}

/** The cause of a 503 or 504, for the log: "service content is not available". */
export function outageText(error: unknown): string {
  const { type, data } = (error ?? {}) as { type?: string; data?: { action?: string } | null };
  const service = data?.action?.split('.', 1)[0];
  if (service && type === 'REQUEST_TIMEOUT') return `service ${service} does not answer`;
  if (service && type && busErrors.has(type)) return `service ${service} is not available`;
  const cause = (error as { cause?: unknown } | null)?.cause;
  return type === 'UNAVAILABLE' && isExpected(cause) ? outageText(cause) : failureOf(error).message;
}
