import { type Logger, pino } from 'pino';

export type Log = Logger;

/** JSON lines on standard output; secrets and credentials never get in. */
export function createLog(level: string): Log {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: {
      paths: ['authorization', '*.authorization', 'token', '*.token', '*.password', '*.secret'],
      censor: '***',
    },
  });
}
