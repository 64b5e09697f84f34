import { Loggers } from 'moleculer';
import { type Log, onceASecond } from '../monitoring/log.js';

/** Lines that repeat an error which the caller gets and reports itself. */
const reportedByErrors = [
  /^Service '[^']*' is not (available|registered|found)/,
  /^Request '[^']*' is timed out\.$/,
  /^Unable to send '[^']*' request/,
  /^NATS error\./,
];

const quoted = /'[^']*'/g;

interface Line {
  text: string;
  err?: Error;
  detail?: object;
}

/** Moleculer logs like `console`: texts, errors and objects in any order. */
function lineOf(parts: unknown[]): Line {
  const err = parts.find((part): part is Error => part instanceof Error);
  const detail = parts.find((part): part is object => typeof part === 'object' && part !== null && part !== err);
  const texts = parts.filter((part) => typeof part !== 'object').map(String);
  return { text: texts.join(' ') || (err?.message ?? ''), ...(err && { err }), ...(detail && { detail }) };
}

/** Writes Moleculer's lines in our format. A line that repeats is written once a second, with its count. */
export class BusLog extends Loggers.Base {
  constructor(private readonly log: Log) {
    super({ level: 'warn' });
  }

  override getLogHandler({ mod: module }: { mod?: string } = {}): Loggers.LogHandler {
    const tell = onceASecond(this.log);
    return (level, parts) => {
      if (level !== 'warn' && level !== 'error' && level !== 'fatal') return;
      const { text, ...rest } = lineOf(parts);
      if (reportedByErrors.some((pattern) => pattern.test(text))) return;
      tell(level, text.replace(quoted, ''), { module, ...rest }, text);
    };
  }
}
