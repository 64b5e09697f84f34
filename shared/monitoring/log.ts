import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';
import { isExpected } from '../errors/errors.js';

export type Log = Logger;

/** An error that is an answer by design is logged without its stack: its cause is not in this code. */
function errorFields(error: Error): object {
  const fields = stdSerializers.err(error);
  if (!isExpected(error)) return fields;
  return { type: (error as { type?: string }).type, message: fields.message };
}

/** Logs JSON lines, to standard output by default. Secrets and credentials are masked. */
export function createLog(level: string, destination?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: errorFields },
    redact: {
      paths: ['authorization', '*.authorization', 'token', '*.token', '*.password', '*.secret'],
      censor: '***',
    },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** Logs a line that may repeat. Lines with the same `key` are the same; `fields` are those of the latest. */
export type Tell = (level: 'warn' | 'error' | 'fatal', key: string, fields: object, message: string) => void;

/** Throttles repeated lines: the first is written at once, then one a second with the `count` since the last. */
export function onceASecond(log: Log): Tell {
  const held = new Map<string, { count: number; write: (count: number) => void }>();
  const writeHeld = (key: string) => {
    const { count, write } = held.get(key) as { count: number; write: (count: number) => void };
    if (count === 0) return void held.delete(key);
    write(count);
    holdLines(key, write);
  };
  const holdLines = (key: string, write: (count: number) => void) => {
    held.set(key, { count: 0, write });
    setTimeout(writeHeld, 1000, key).unref();
  };
  return (level, key, fields, message) => {
    const writeLine = (count: number) => log[level]({ ...fields, count }, message);
    const before = held.get(key);
    if (before) return void held.set(key, { count: before.count + 1, write: writeLine });
    writeLine(1);
    holdLines(key, writeLine);
  };
}

export type HasLog = { log: Log };
