import { type Collection, collection } from '../../../../shared/store/port.js';
import type { LogLine } from './resources.js';

/** The place of an event of an installation on a space or site. */
export interface EventPlace {
  space?: string;
  site?: string;
}

export interface EventDocument {
  /** Also the `eventId` of the payload. */
  _id: string;
  integration: string;
  publication: string;
  installation?: string;
  place?: EventPlace;
  /** The payload as JSON, with `eventId` and `type`. */
  payload: string;
  /** The payload is encrypted. */
  sealed?: true;
  type: string;
  createdAt: string;
  /** While it is to be delivered: the lane whose events are delivered one after the other, the installation or the integration. */
  lane?: string;
  /** Orders the events of a lane. */
  sequence: number;
  attempts: number;
  /** Attempts that came to nothing by no fault of the script; they are not in `attempts`. */
  excused?: number;
  /** Outcome of the latest attempt; absent before the first. `dead`: it failed, and is not tried again. */
  result?: 'success' | 'failed' | 'dead';
  /** When the next attempt is due. */
  runAt?: string;
  /** It waited because the installation causes many events itself. */
  delayed?: true;
  /** It was answered at once, so that it cannot be sent again. */
  answered?: true;
  logs: LogLine[];
  /** Once it is over: the organization that it is counted for, and its bytes; absent in events from before they were counted. */
  keptFor?: string;
  bytes?: number;
  /** The installation as it was before it was removed, for the event about that. */
  before?: string;
}

/** The events of an organization, whose id is `_id`, that are over. */
export interface EventUsageDocument {
  _id: string;
  items: number;
  bytes: number;
}

/** The last sequence number of a lane. */
export interface LaneDocument {
  _id: string;
  last: number;
  /** Paces the events that an installation causes itself, in epoch milliseconds: see `echoesDue`. */
  echoesUntil?: number;
}

export const events = collection<EventDocument>('integrations_events', [
  { on: { lane: 1, sequence: 1 }, where: 'lane' },
  { on: { publication: 1, result: 1, createdAt: -1 }, where: 'result' },
  { on: { installation: 1, result: 1, createdAt: -1 }, where: 'result' },
  { on: { createdAt: 1 } },
  { on: { publication: 1 } },
  { on: { keptFor: 1, createdAt: 1 }, where: 'keptFor' },
]);

export const eventUsages = collection<EventUsageDocument>('integrations_event_usages', [
  { on: { items: 1 } },
  { on: { bytes: 1 } },
]);

export const lanes = collection<LaneDocument>('integrations_lanes');

export const eventCollections = [events, eventUsages, lanes] as unknown as Collection<never>[];
