import { readFileSync } from 'node:fs';

/** The children of a process that run workerd. */
export function runtimesOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1')
    .split(' ')
    .map(Number)
    .filter((child) => child > 0 && isWorkerd(child));
}

function isWorkerd(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('workerd');
  } catch {
    // It has ended.
    return false;
  }
}
