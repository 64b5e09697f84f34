import { setTimeout as pause } from 'node:timers/promises';
import { scaled } from '../../../../shared/settings/time-scale.js';
import type { Limits } from '../limits.js';
import type { Use } from './launched.js';

/** Of an idle process, only each eighth check is made. */
const idleChecks = 8;
/** Of the limit of memory: from the first part on, garbage is collected once a second, from the second on at each check. */
const collectParts = [0.5, 0.75] as const;
const collectMs = 1000;
/** How long it is waited for that. */
const mostTidyMs = scaled(1000);

export interface Watched {
  use: () => Use;
  limits: Limits;
  /** Resolves when the process answers, after it has collected its garbage if that is asked for. */
  ask: (collects: boolean) => Promise<unknown>;
  isBusy: () => boolean;
  /** Called each time that the process is found to have used more than it may. */
  onExcess: (reason: 'processor' | 'memory') => void;
}

export interface Watch {
  /** Has a process that its events left with much memory collect its garbage; undefined where there is little. Never rejects. */
  tidy(): Promise<void> | undefined;
  stop(): void;
}

/**
 * Checks the memory of a process, and that it pauses: its processor time counts from its last answer on.
 * The engine does not see the memory of requests, and collects them late: 20,000 small events hold 310 MiB. So it is asked to.
 */
export function watchProcess({ use, limits, ask, isBusy, onExcess }: Watched): Watch {
  let usedAtAnswer = use().processorMs;
  let isAsked = false;
  let skipped = 0;
  let collectedAt = 0;
  const askAgain = async (collects: boolean) => {
    isAsked = true;
    if (collects) collectedAt = performance.now();
    try {
      await ask(collects);
      usedAtAnswer = use().processorMs;
    } catch {
      // A process that is ending does not answer.
    } finally {
      isAsked = false;
    }
  };
  const mustCollect = (part: number) =>
    part > collectParts[1] || (part > collectParts[0] && performance.now() - collectedAt > collectMs);
  const check = () => {
    if (!isBusy() && ++skipped < idleChecks) return;
    skipped = 0;
    const { residentBytes, processorMs } = use();
    if (residentBytes > limits.memoryBytes) onExcess('memory');
    else if (!isAsked) void askAgain(mustCollect(residentBytes / limits.memoryBytes));
    else if (processorMs - usedAtAnswer > limits.processorMs) onExcess('processor');
  };
  const timer = setInterval(check, limits.watchMs);
  return {
    tidy: () =>
      use().residentBytes / limits.memoryBytes > collectParts[1]
        ? Promise.race([askAgain(true), pause(mostTidyMs, undefined, { ref: false })])
        : undefined,
    stop: () => clearInterval(timer),
  };
}
