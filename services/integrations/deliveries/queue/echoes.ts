import type { Store } from '../../../../shared/store/port.js';
import { timestamp } from '../../../../shared/values/ids.js';
import { lanes } from './model.js';
import type { LogLine } from './resources.js';

/** Echoes, events that an installation caused itself, that are sent at once after a pause. */
const maxAtOnce = 20;
/** The pace of those after them, in milliseconds. */
const paceMs = 10_000;
const maxWaiting = 360;

/**
 * Times at which the next `count` echoes of an installation are due: undefined for at once, null for those left out because too many
 * wait. A script that answers its own changes with others would otherwise never end, and each change may cause several events.
 */
export async function echoesDue(
  store: Store,
  installation: string,
  count: number,
): Promise<(string | undefined | null)[]> {
  const lane = { _id: installation };
  const now = Date.now();
  const addPause = (ms: number) => store.upsert(lanes, lane, { $inc: { echoesUntil: ms }, $setOnInsert: { last: 0 } });
  await store.upsert(lanes, lane, { $max: { echoesUntil: now }, $setOnInsert: { last: 0 } });
  const { echoesUntil: until = now } = await addPause(count * paceMs);
  const msAhead = (at: number) => until - (count - 1 - at) * paceMs - now - maxAtOnce * paceMs;
  const due = Array.from({ length: count }, (_, at) => {
    const ms = msAhead(at);
    if (ms > maxWaiting * paceMs) return null;
    return ms > 0 ? timestamp(new Date(now + ms)) : undefined;
  });
  const leftOut = due.filter((each) => each === null).length;
  if (leftOut > 0) await addPause(-leftOut * paceMs);
  return due;
}

const warnLine = (message: string): LogLine => ({ level: 'warn', message, timestamp: timestamp() });

export const delayedLine = () =>
  warnLine(
    `delayed: this installation caused the event itself, like many before it; such events come one in ${paceMs / 1000} s`,
  );

export const leftOutLine = () =>
  warnLine(
    `not sent: this installation caused the event itself, and ${maxWaiting} like it are waiting; a script that answers its own changes with others never ends`,
  );
