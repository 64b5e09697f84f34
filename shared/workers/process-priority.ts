import { setPriority } from 'node:os';

/** How far work that nobody waits for gives way to what answers; not so far that a busy machine starves it. */
export const inBackground = 8;

/** Lets a process give way to others when processor time is scarce. */
export function giveWay(pid: number | undefined, niceness: number): void {
  try {
    if (pid !== undefined) setPriority(pid, niceness);
  } catch {
    // Not every system allows this; there the process is one like any other.
  }
}
