import type { Readable } from 'node:stream';
import { z } from 'zod';
import type { ScriptLogLine } from '../failure.js';

/** Output of a process: a line of an event, the note that all work of an event is over, or anything else. */
export type Written =
  | { kind: 'line'; event: string; line: ScriptLogLine }
  | { kind: 'over'; event: string; dropped: number }
  | { kind: 'other'; text: string };

/** 2,000 characters of a message, each of which may be six when escaped, and what stands around them. */
const maxLineBytes = 16 * 1024;
const newline = 0x0a;

// Scripts can write to standard output without the prelude, so nothing in it is certain.
const lineShape = z.object({
  event: z.string(),
  level: z.enum(['debug', 'info', 'warn', 'error']),
  message: z.string().max(2000),
});
const overShape = z.object({ event: z.string(), dropped: z.number().int().nonnegative() });

export function parseOutput(text: string): Written {
  const other: Written = { kind: 'other', text };
  if (!text.startsWith('{"event":')) return other;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return other;
  }
  const line = lineShape.safeParse(value);
  if (line.success) return { kind: 'line', event: line.data.event, line: line.data };
  const over = overShape.safeParse(value);
  return over.success ? { kind: 'over', ...over.data } : other;
}

/** Calls `onLine` with each line of a stream; longer ones are cut, as what a process wrote without an end is never held. */
export function readLines(stream: Readable, onLine: (text: string) => void): void {
  let parts: Buffer[] = [];
  let length = 0;
  const keepPart = (part: Buffer) => {
    if (length < maxLineBytes) parts.push(part.subarray(0, maxLineBytes - length));
    length += part.length;
  };
  stream.on('data', (chunk: Buffer) => {
    let from = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
      keepPart(chunk.subarray(from, end));
      // Most lines are in one chunk: copying each takes time of the event loop.
      onLine((parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)).toString());
      parts = [];
      length = 0;
      from = end + 1;
    }
    if (from < chunk.length) keepPart(chunk.subarray(from));
  });
}

const windowMs = 60_000;

/** Counts the bytes of a stream, and calls `onFlood` once when there are more than `most` of them within a minute. */
export function watchFlood(stream: Readable, max: number, onFlood: () => void): void {
  const count = floodCounter(max, onFlood);
  stream.on('data', (chunk: Buffer) => count(chunk.length));
}

/** Returns a counter, which calls `onFlood` once when it counts more than `most` within a minute. */
export function floodCounter(max: number, onFlood: () => void): (amount: number) => void {
  let began = 0;
  let counted = 0;
  let isFlooded = false;
  return (amount) => {
    const now = performance.now();
    if (now - began > windowMs) {
      began = now;
      counted = 0;
    }
    counted += amount;
    if (counted <= max || isFlooded) return;
    isFlooded = true;
    onFlood();
  };
}
