import type { Log } from '../../../shared/monitoring/log.js';
import type { Outbound } from '../../../shared/outbound/client.js';
import type { HeldBytes } from '../../../shared/work/held-bytes.js';
import type { Dispatch } from './events/script-event.js';
import { apiRule } from './guard/api-requests.js';
import { defaultLimits, type Limits } from './limits.js';
import type { Launcher } from './process/launched.js';
import { type Outcome, ScriptProcess } from './process/script-process.js';
import type { Program } from './process/start-process.js';
import { ProcessPool } from './process-pool.js';

export type { Dispatch } from './events/script-event.js';
export { RuntimeFailure, type ScriptLogLine as LogLine } from './failure.js';
export type { Limits } from './limits.js';
export { launcherHere } from './process/launch.js';
export type { Launcher } from './process/launched.js';
export type { Outcome } from './process/script-process.js';
export type { Program } from './process/start-process.js';
export { launcherAt } from './runner/launcher-at.js';

/** Runs the scripts of integrations, each version in a process of its own. */
export interface Runtime {
  /** Has a script handle an event. Rejects with a `RuntimeFailure`. */
  dispatch(program: Program, dispatch: Dispatch): Promise<Outcome>;
  /** Starts a script without an event. Rejects with a `RuntimeFailure` that has the error of the script. */
  check(program: Program): Promise<void>;
  /** Ends the processes of an integration when their events are over: it was published anew or unpublished. */
  retire(name: string): void;
  /** Ends all processes; events in flight fail. */
  close(): Promise<void>;
}

export interface RuntimeOptions {
  log: Log;
  /** For the requests of scripts to anything but the API. */
  outbound: Outbound;
  /** The address of the API, without `/v1`; it may be a private one. */
  apiEndpoint: string;
  /** Bodies that are held in memory, of the scripts of each organization. */
  bodies: HeldBytes;
  /** Runs the processes. */
  launcher: Launcher;
  /** Processes at the same time; 8 by default. */
  maxProcesses?: number;
  limits?: Partial<Limits>;
}

export function createRuntime(options: RuntimeOptions): Runtime {
  const { log, outbound, apiEndpoint, bodies, launcher, maxProcesses = 8, limits: own } = options;
  const limits: Limits = { ...defaultLimits, ...own };
  const guard = { outbound, isApi: apiRule(apiEndpoint), bodies };
  const pool = new ProcessPool({
    maxProcesses,
    limits,
    start: (program, observer) => new ScriptProcess({ program, launcher, guard, limits, log, ...observer }),
  });
  return {
    dispatch: (program, dispatch) => pool.run(program, dispatch.timeoutMs, (process) => process.run(dispatch)),
    check: (program) => pool.run(program, limits.startMs, (process) => process.check()),
    retire: (name) => pool.retire(name),
    close: () => pool.close(),
  };
}
