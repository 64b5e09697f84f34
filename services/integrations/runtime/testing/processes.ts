import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** The processes of workerd that a process has started, also behind what it started them with. While others end, one may be missing. */
export const runtimesOf = (pid: number): number[] =>
  childrenOf(pid).flatMap((child) => {
    const args = argumentsOf(child);
    if (basename(args[0] ?? '') === 'workerd') return [child];
    return args.some((each) => basename(each) === 'workerd') ? runtimesOf(child) : [];
  });

function childrenOf(pid: number): number[] {
  const numbers = read(`/proc/${pid}/task/${pid}/children`).split(' ');
  return numbers.map(Number).filter((child) => child > 0);
}

const argumentsOf = (pid: number): string[] => read(`/proc/${pid}/cmdline`).split('\0');

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    // It has ended.
    return '';
  }
}
