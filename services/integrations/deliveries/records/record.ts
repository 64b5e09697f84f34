import { LRUCache } from 'lru-cache';
import type { Log } from '../../../../shared/monitoring/log.js';
import { type Store, write } from '../../../../shared/store/port.js';
import { timestamp } from '../../../../shared/values/ids.js';
import { omitUndefined } from '../../../../shared/values/omit-undefined.js';
import type { IntegrationDocument } from '../../catalogue/model.js';
import { countFinished } from '../queue/kept-events.js';
import { type EventDocument, type EventPlace, events } from '../queue/model.js';
import type { LogLine } from '../queue/resources.js';

/** An event that a script answered at once, such as a request. */
export interface AnsweredEvent {
  integration: Pick<IntegrationDocument, '_id' | 'publication'>;
  installation?: string;
  /** The organization that the event is kept for. */
  organization: string;
  place?: EventPlace;
  event: { eventId: string; type: string; [key: string]: unknown };
  isFailed: boolean;
  /** Log lines, also those that come after the answer. */
  logs: LogLine[] | Promise<LogLine[]>;
}

const maxInSecond = 10;
const maxInHour = 5_000;
const hourMs = 3_600_000;
/** Records of this process that are being written. */
const maxAtOnce = 200;
const maxKeys = 10_000;

interface Taken {
  second: { began: number; count: number };
  hour: { began: number; count: number };
}

/** Bounds how many answered events of each integration one process records. */
export class RecordingLimit {
  private readonly taken = new LRUCache<string, Taken>({ max: maxKeys });
  private open = 0;

  /** Whether one more is recorded; `ended` is to be called after it. `now` is in epoch milliseconds. */
  mayRecord(key: string, now = Date.now()): boolean {
    if (this.open >= maxAtOnce) return false;
    const taken = this.taken.get(key) ?? { second: { began: now, count: 0 }, hour: { began: now, count: 0 } };
    this.taken.set(key, taken);
    if (now - taken.second.began >= 1000) taken.second = { began: now, count: 0 };
    if (now - taken.hour.began >= hourMs) taken.hour = { began: now, count: 0 };
    if (taken.second.count >= maxInSecond || taken.hour.count >= maxInHour) return false;
    taken.second.count += 1;
    taken.hour.count += 1;
    this.open += 1;
    return true;
  }

  noteEnd(): void {
    this.open -= 1;
  }
}

/** Bytes of the longest payload that is kept whole. */
const maxPayload = 64 * 1024;
/** Headers that may hold secrets of others. */
const masked = new Set(['authorization', 'cookie', 'proxy-authorization']);

export interface RecordingDependencies {
  store: Store;
  log: Log;
  recording: RecordingLimit;
}

/**
 * Records an event that was answered, for the lists of events; some successful ones of many in a second are left out. Returns at once, and
 * never fails: a record that could not be written is logged.
 */
export function recordEvent(
  { store, log, recording }: RecordingDependencies,
  { integration, installation, organization, place, event, isFailed, logs }: AnsweredEvent,
): void {
  const { _id: name, publication } = integration;
  if (!recording.mayRecord(`${publication} ${isFailed}`)) return;
  const insertRecord = async () => {
    const made: EventDocument = omitUndefined({
      _id: event.eventId,
      integration: name,
      publication,
      installation,
      place,
      type: event.type,
      payload: keptPayload(event),
      createdAt: timestamp(),
      sequence: 0,
      attempts: 1,
      result: isFailed ? 'dead' : 'success',
      answered: true,
      logs: keptLogs(await logs),
    });
    const { fields, count } = countFinished(organization, made);
    await store.batch([write.insert(events, { ...made, ...fields }), count]);
  };
  void insertRecord()
    .catch((err) => log.warn({ err, integration: name, event: event.eventId }, 'recording an event failed'))
    .finally(() => recording.noteEnd());
}

function keptPayload(event: AnsweredEvent['event']): string {
  const whole = JSON.stringify(event, (key, value) => (masked.has(key.toLowerCase()) ? '***' : value));
  if (Buffer.byteLength(whole) <= maxPayload) return whole;
  return JSON.stringify({ eventId: event.eventId, type: event.type, truncated: true });
}

/** The lines of an event, and why it failed where they do not say it. */
export const withReason = (logs: LogLine[], message: string): LogLine[] =>
  logs.some((line) => line.message === message) ? logs : [...logs, { level: 'error', message, timestamp: timestamp() }];

const maxLines = 200;
/** Characters of all messages. */
const maxText = 32 * 1024;

/** The lines that are kept of an event: the latest of too many. */
export function keptLogs(logs: readonly LogLine[]): LogLine[] {
  const kept: LogLine[] = [];
  let text = 0;
  for (const line of logs.slice(-maxLines).reverse()) {
    text += line.message.length;
    if (text > maxText) break;
    kept.push(line);
  }
  return kept.reverse();
}
