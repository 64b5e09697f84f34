import type { Update } from '../../../../shared/store/port.js';
import { timestamp } from '../../../../shared/values/ids.js';
import type { IntegrationDocument } from '../../catalogue/model.js';
import { delayedLine } from '../queue/echoes.js';
import type { EventDocument } from '../queue/model.js';
import type { LogLine } from '../queue/resources.js';
import { keptLogs, withReason } from '../records/record.js';
import { notHandled } from './dispatch.js';

/** Blame for an attempt without an answer: the integration's own, perhaps another event's, or that of this installation of Bindery. */
export type Fault = 'its own' | 'unclear' | 'ours';

/** Outcome of one attempt to deliver an event. */
export type Attempt =
  /** An answer came; `status` is its HTTP status. */
  | { status: number; logs: LogLine[] }
  /** No answer came. */
  | { failure: string; fault: Fault; logs: LogLine[] };

const scriptAttempts = 8;
const webhookAttempts = 4;
const maxNotCounted = 20;
/** An event that was not delivered within a week is not any more. */
const maxAgeMs = 7 * 24 * 3_600_000;
const maxNotCountedBackoffMs = 30_000;

type Attempted = Pick<EventDocument, 'attempts' | 'excused' | 'createdAt' | 'delayed'>;
type Format = IntegrationDocument['format'];

export interface AfterAttempt {
  update: Update<EventDocument>;
  /** Milliseconds until the next attempt; undefined when there is none. */
  waitMs?: number;
}

/** Works out what becomes of an event after an attempt. `now` is in epoch milliseconds. */
export function afterAttempt(
  event: Attempted,
  attempt: Attempt,
  { format, now = Date.now() }: { format: Format; now?: number },
): AfterAttempt {
  const { excused = 0 } = event;
  const logs = keptLogs([...(event.delayed ? [delayedLine()] : []), ...logLinesOf(attempt)]);
  const isExcused = 'fault' in attempt && mayBeExcused(attempt.fault, excused);
  const attempts = event.attempts + (isExcused ? 0 : 1);
  const recorded = { attempts, logs };
  if (isSuccess(attempt)) return endedUpdate({ ...recorded, result: 'success' });
  if (isFinal(attempt, { event, attempts, format, now })) return endedUpdate({ ...recorded, result: 'dead' });
  const waitMs = isExcused ? backoffMs(excused + 1, maxNotCountedBackoffMs) : backoffMs(attempts);
  const runAt = timestamp(new Date(now + waitMs));
  return {
    update: { $set: { ...recorded, result: 'failed', runAt, ...(isExcused ? { excused: excused + 1 } : {}) } },
    waitMs,
  };
}

/** An outage of ours may last; an event that ends the process of others may do so each time. */
const mayBeExcused = (fault: Fault, excused: number): boolean =>
  fault === 'ours' || (fault === 'unclear' && excused < maxNotCounted);

const endedUpdate = ($set: Partial<EventDocument>): AfterAttempt => ({
  update: { $set, $unset: { lane: true, runAt: true } },
});

const isSuccess = (attempt: Attempt): boolean =>
  'status' in attempt && ((attempt.status >= 200 && attempt.status < 300) || attempt.status === notHandled);

interface Standing {
  event: Attempted;
  attempts: number;
  format: Format;
  now: number;
}

function isFinal(attempt: Attempt, { event, attempts, format, now }: Standing): boolean {
  if (now - Date.parse(event.createdAt) > maxAgeMs) return true;
  if (format !== 'built-in') return attempts >= scriptAttempts;
  return attempts >= webhookAttempts || ('status' in attempt && isRefusal(attempt.status));
}

/** The receiver will not take it the next time either. */
const isRefusal = (status: number): boolean => status >= 400 && status < 500 && status !== 429;

/** Lines that the integration wrote; the reason of a failure is added where they do not give it. */
function logLinesOf(attempt: Attempt): LogLine[] {
  if ('failure' in attempt) return withReason(attempt.logs, attempt.failure);
  if (attempt.logs.length > 0 || isSuccess(attempt)) return attempt.logs;
  return withReason([], `it answered with the status ${attempt.status}`);
}

const spreadRandomly = (ms: number): number => Math.round(ms * (0.9 + Math.random() * 0.2));

/** Backoff in ms: doubles from 1 s with each attempt. */
const backoffMs = (attempts: number, maxMs = Number.POSITIVE_INFINITY): number =>
  spreadRandomly(Math.min(maxMs, 1000 * 2 ** (attempts - 1)));
