import { setTimeout as pause } from 'node:timers/promises';
import { scaleMs } from '../../../../shared/settings/time-scale.js';
import type { Limits } from '../limits.js';
import type { Use } from './launched.js';

/** An idle process is checked only every eighth time. */
const idleChecks = 8;
/** Parts of the memory limit: above the first, garbage is collected once a second; above the second, at each check. */
const collectParts = [0.5, 0.75] as const;
const collectMs = 1000;
/** Processor time that a process with too much memory has for collecting its garbage, in milliseconds. */
const excessMs = 250;
/** Longest wait for garbage to be collected between events, in milliseconds. */
const maxTidyMs = scaleMs(1000);

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
  /** There from the first of the checks in a row that find too much memory. */
  let excess: { processorMs: number; isCollected: boolean } | undefined;
  const askAgain = async (collects: boolean) => {
    isAsked = true;
    const found = excess;
    if (collects) collectedAt = performance.now();
    try {
      await ask(collects);
      usedAtAnswer = use().processorMs;
      if (collects && found) found.isCollected = true;
    } catch {
      // A process that is ending does not answer.
    } finally {
      isAsked = false;
    }
  };
  const mustCollect = (part: number) =>
    part > collectParts[1] || (part > collectParts[0] && performance.now() - collectedAt > collectMs);
  /** Garbage is no excess, and a busy machine may not have let the process collect it yet. */
  const isExcess = ({ residentBytes, processorMs }: Use): boolean => {
    if (residentBytes <= limits.memoryBytes) excess = undefined;
    else if (excess) return excess.isCollected || processorMs - excess.processorMs > excessMs;
    else excess = { processorMs, isCollected: false };
    return false;
  };
  const checkUse = () => {
    if (!isBusy() && ++skipped < idleChecks) return;
    skipped = 0;
    const used = use();
    const { residentBytes, processorMs } = used;
    if (isExcess(used)) onExcess('memory');
    else if (!isAsked) void askAgain(mustCollect(residentBytes / limits.memoryBytes));
    else if (processorMs - usedAtAnswer > limits.processorMs) onExcess('processor');
  };
  const timer = setInterval(checkUse, limits.watchMs);
  return {
    tidy: () =>
      use().residentBytes / limits.memoryBytes > collectParts[1]
        ? Promise.race([askAgain(true), pause(maxTidyMs, undefined, { ref: false })])
        : undefined,
    stop: () => clearInterval(timer),
  };
}
