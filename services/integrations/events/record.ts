import { timestamp } from '../../../shared/ids.js';
import { write } from '../../../shared/store/port.js';
import type { IntegrationDocument } from '../catalogue/model.js';
import type { IntegrationsDependencies } from '../dependencies.js';
import { keptFor } from './kept/kept-events.js';
import { type EventDocument, type EventPlace, events } from './model.js';
import type { LogLine } from './resources.js';

/** An event that a script answered at once, such as a request. */
export interface AnsweredEvent {
  integration: Pick<IntegrationDocument, '_id' | 'publication'>;
  installation?: string;
  /** Whose event it is. */
  organization: string;
  place?: EventPlace;
  event: { eventId: string; type: string; [key: string]: unknown };
  isFailed: boolean;
  /** Also those that come after the answer. */
  logs: LogLine[] | Promise<LogLine[]>;
}

/** Bytes of the longest payload that is kept whole. */
const mostPayload = 64 * 1024;
/** Headers that may hold secrets of others. */
const masked = new Set(['authorization', 'cookie', 'proxy-authorization']);

/**
 * Records an event that was answered, for the lists of events; some successful ones of many in a second are left out. Returns at once, and
 * never fails: a record that could not be written is logged.
 */
export function recordEvent(
  { store, log, recording }: Pick<IntegrationsDependencies, 'store' | 'log' | 'recording'>,
  { integration, installation, organization, place, event, isFailed, logs }: AnsweredEvent,
): void {
  const { _id: name, publication } = integration;
  if (!recording.takes(`${publication} ${isFailed}`)) return;
  const record = async () => {
    const made: EventDocument = {
      _id: event.eventId,
      integration: name,
      publication,
      ...(installation === undefined ? {} : { installation }),
      ...(place === undefined ? {} : { place }),
      type: event.type,
      payload: keptPayload(event),
      createdAt: timestamp(),
      sequence: 0,
      attempts: 1,
      result: isFailed ? 'dead' : 'success',
      answered: true,
      logs: keptLogs(await logs),
    };
    const { fields, count } = keptFor(organization, made);
    await store.batch([write.insert(events, { ...made, ...fields }), count]);
  };
  void record()
    .catch((err) => log.warn({ err, integration: name, event: event.eventId }, 'recording an event failed'))
    .finally(() => recording.ended());
}

function keptPayload(event: AnsweredEvent['event']): string {
  const whole = JSON.stringify(event, (key, value) => (masked.has(key.toLowerCase()) ? '***' : value));
  if (Buffer.byteLength(whole) <= mostPayload) return whole;
  return JSON.stringify({ eventId: event.eventId, type: event.type, truncated: true });
}

/** The lines of an event, and why it failed where they do not say it. */
export const withReason = (logs: LogLine[], message: string): LogLine[] =>
  logs.some((line) => line.message === message) ? logs : [...logs, { level: 'error', message, timestamp: timestamp() }];

const mostLines = 200;
/** Characters of all messages. */
const mostText = 32 * 1024;

/** The lines that are kept of an event: the latest of too many. */
export function keptLogs(logs: readonly LogLine[]): LogLine[] {
  const kept: LogLine[] = [];
  let text = 0;
  for (const line of logs.slice(-mostLines).reverse()) {
    text += line.message.length;
    if (text > mostText) break;
    kept.push(line);
  }
  return kept.reverse();
}
