import { timestamp } from '../../../../shared/values/ids.js';
import type { ScriptLogLine } from '../failure.js';

const maxLines = 1000;
const maxBytes = 256 * 1024;

/** The lines of one event: the first ones, and how many more there were. */
export class EventLines {
  private readonly lines: ScriptLogLine[] = [];
  private bytes = 0;
  private dropped = 0;

  add({ level, message }: ScriptLogLine): void {
    this.bytes += Buffer.byteLength(message);
    if (this.lines.length >= maxLines || this.bytes > maxBytes) this.dropped += 1;
    else this.lines.push({ level, message, timestamp: timestamp() });
  }

  /** Counts lines that were not even sent. */
  drop(count: number): void {
    this.dropped += count;
  }

  /** The lines until now, and `last` in any case. */
  take(...last: ScriptLogLine[]): ScriptLogLine[] {
    const dropped: ScriptLogLine[] =
      this.dropped > 0 ? [{ level: 'warn', message: `${this.dropped} further lines were dropped` }] : [];
    return [...this.lines, ...[...dropped, ...last].map((line) => ({ ...line, timestamp: timestamp() }))];
  }
}
