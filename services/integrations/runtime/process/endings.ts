import type { FailureReason } from '../failure.js';
import { type Limits, mebibytesText, secondsText } from '../limits.js';
import type { End } from './launched.js';

/** Why a process ended, and the text for its events. */
export interface Ending {
  reason: FailureReason;
  message: string;
}

export const stopped: Ending = { reason: 'stopped', message: 'The process of the integration was stopped' };

export const slowNeighbour: Ending = {
  reason: 'stopped',
  message: 'The process of the integration was stopped, because another event took too long',
};

export const slowStartEnding = ({ startMs }: Limits): Ending => ({
  reason: 'start',
  message: `The script did not start within ${secondsText(startMs)}`,
});

/** It used more than is allowed. */
export function excessEnding(reason: 'processor' | 'memory' | 'logs', limits: Limits, isStarting: boolean): Ending {
  const used = {
    processor: `used more than ${secondsText(limits.processorMs)} of processor time without a pause`,
    memory: `used more than ${mebibytesText(limits.memoryBytes)} of memory`,
    logs: `wrote more than ${mebibytesText(limits.outputBytes)} within a minute`,
  }[reason];
  return isStarting
    ? { reason: 'start', message: `The script ${used} while it started` }
    : { reason, message: `The script ${used} and was stopped` };
}

/** It ended by itself, or what ran it did. */
export function unexpectedEnding(end: End, written: string, isStarting: boolean): Ending {
  if (end === 'lost') return stopped;
  const message = 'The script ran out of memory';
  if (ranOutOfMemory(end, written)) return isStarting ? { reason: 'start', message } : { reason: 'memory', message };
  if (isStarting) return { reason: 'start', message: startError(written) };
  return { reason: 'crash', message: 'The process of the script ended unexpectedly' };
}

const maxTextLength = 1000;

/** Extracts from the output of workerd why a script did not start: without paths, stacks and messages of workerd itself. */
function startError(written: string): string {
  const lines = written
    .split('\n')
    .filter((line) => !/^(stack:|workerd\/|kj\/|\*\*\*|Unable to find and open the program executable)/.test(line));
  const text = lines
    .join('\n')
    .replaceAll(/(?:\/[\w.@+-]+){2,}/g, '…')
    .replaceAll(/^service script: /gm, '')
    .trim();
  return text.slice(0, maxTextLength) || 'the process ended without a message';
}

/** Whether a process ended because it found no memory. */
const ranOutOfMemory = (end: End, written: string): boolean =>
  end === 'SIGABRT' || /out of memory|bad_alloc|cannot allocate memory/i.test(written);
