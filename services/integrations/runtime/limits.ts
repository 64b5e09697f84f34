import { scaleMs } from '../../../shared/settings/time-scale.js';
import type { HeldLimits } from '../../../shared/work/held-bytes.js';

const mebibyte = 1024 * 1024;

/** Bounds on what scripts may use. Times are in milliseconds. */
export interface Limits {
  /** Time from the start of a process until it takes events. */
  startMs: number;
  /** A process without events ends after this time. */
  idleMs: number;
  /** Time for work after the answer (`waitUntil`). */
  afterMs: number;
  /** How long the other events of a process may go on when one of them gets it ended. */
  graceMs: number;
  /** Time between two checks of a process. */
  watchMs: number;
  /** Processor time without a pause in which the process would answer. */
  processorMs: number;
  /** The resident memory of a process, of which the runtime itself takes about 55 MiB. */
  memoryBytes: number;
  /** The body of an answer. */
  answerBytes: number;
  /** Events of a process that wait for their answer at the same time. */
  eventsAtOnce: number;
  /** Events of a process of which anything still runs. */
  openEvents: number;
  /** Events of a program that wait for a process. */
  waiting: number;
  /** How long a busy process keeps its place when others wait for one. */
  tenureMs: number;
  /** Output of a process within a minute. */
  outputBytes: number;
  /** A request that a script makes: the whole exchange. */
  requestMs: number;
  /** A request that a script makes: its body, and the body of the answer. */
  requestBytes: number;
  /** Requests that a process makes at the same time. */
  requestsAtOnce: number;
}

export const defaultLimits: Limits = {
  startMs: scaleMs(15_000),
  idleMs: 60_000,
  afterMs: scaleMs(30_000),
  graceMs: scaleMs(10_000),
  watchMs: 250,
  processorMs: scaleMs(2000),
  memoryBytes: 256 * mebibyte,
  answerBytes: 5 * mebibyte,
  eventsAtOnce: 16,
  openEvents: 64,
  waiting: 100,
  tenureMs: scaleMs(5000),
  outputBytes: 32 * mebibyte,
  requestMs: scaleMs(20_000),
  requestBytes: 10 * mebibyte,
  requestsAtOnce: 20,
};

/** Bodies that scripts and the machines of developers fetch or answer, while they are held in memory here: of an organization, of all. */
export const bodyLimits: HeldLimits = { ofOwner: 64 * mebibyte, ofAll: 128 * mebibyte };

/** For texts: `2.5 s`. */
export const secondsText = (ms: number) => `${ms / 1000} s`;
/** For texts: `256 MiB`. */
export const mebibytesText = (bytes: number) => `${Math.round(bytes / mebibyte)} MiB`;
