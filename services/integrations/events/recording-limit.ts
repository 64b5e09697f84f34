import { LRUCache } from 'lru-cache';

const mostInSecond = 10;
const mostInHour = 5_000;
const hourMs = 3_600_000;
/** Records of this process that are being written. */
const mostAtOnce = 200;
const mostKeys = 10_000;

interface Taken {
  second: { began: number; count: number };
  hour: { began: number; count: number };
}

/** Bounds how many answered events of each integration one process records. */
export class RecordingLimit {
  private readonly taken = new LRUCache<string, Taken>({ max: mostKeys });
  private open = 0;

  /** Whether one more is recorded; `ended` is to be called after it. `now` is in epoch milliseconds. */
  takes(key: string, now = Date.now()): boolean {
    if (this.open >= mostAtOnce) return false;
    const taken = this.taken.get(key) ?? { second: { began: now, count: 0 }, hour: { began: now, count: 0 } };
    this.taken.set(key, taken);
    if (now - taken.second.began >= 1000) taken.second = { began: now, count: 0 };
    if (now - taken.hour.began >= hourMs) taken.hour = { began: now, count: 0 };
    if (taken.second.count >= mostInSecond || taken.hour.count >= mostInHour) return false;
    taken.second.count += 1;
    taken.hour.count += 1;
    this.open += 1;
    return true;
  }

  ended(): void {
    this.open -= 1;
  }
}
