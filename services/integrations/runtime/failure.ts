/** A line that a script wrote, or that was written about it. */
export interface ScriptLogLine {
  level: 'debug' | 'info' | 'warn' | 'error';
  message: string;
  /** ISO 8601. */
  timestamp?: string;
}

/**
 * Why an event has no answer. `start`: the script could not be started. `missing`: there is no runtime on this machine. `time`: no answer in time. `processor`, `memory`, `logs`: it used more
 * than is allowed. `crash`: its process ended by itself. `too-large`: its answer is. `busy`: no process became free, or none can be started at present. `stopped`: its process was
 * ended from here.
 */
export type FailureReason =
  | 'start'
  | 'missing'
  | 'time'
  | 'processor'
  | 'memory'
  | 'crash'
  | 'too-large'
  | 'busy'
  | 'stopped'
  | 'logs';

/** The event has no answer. The message is for the people who wrote the script. */
export class RuntimeFailure extends Error {
  override readonly name = 'RuntimeFailure';
  /** Lines that the event had written before it failed. */
  readonly logs: ScriptLogLine[];
  /** Several events were in flight in the process, so that another one may have brought it down. */
  readonly bystander: boolean;

  constructor(
    readonly reason: FailureReason,
    message: string,
    { logs = [], bystander = false, cause }: { logs?: ScriptLogLine[]; bystander?: boolean; cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? {} : { cause });
    this.logs = logs;
    this.bystander = bystander;
  }
}
