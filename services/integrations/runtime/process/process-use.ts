import { readFileSync } from 'node:fs';

/** The unit of `/proc/<pid>/stat`. */
const tickMs = 10;
/** Share of the elapsed time that counts as processor time where the system does not report it. */
const presumedPart = 1 / 3;

/** The processor time that a process has used, in milliseconds from any beginning. */
export function processorMsOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * tickMs;
  } catch {
    return performance.now() * presumedPart;
  }
}

/** The resident memory of a process; 0 where the system does not report it. */
export function residentBytesOf(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
