import type { End } from './launched.js';

const maxTextLength = 1000;

/** Extracts from the output of workerd why a script did not start: without paths, stacks and messages of workerd itself. */
export function startError(written: string): string {
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
export const ranOutOfMemory = (end: End, written: string): boolean =>
  end === 'SIGABRT' || /out of memory|bad_alloc|cannot allocate memory/i.test(written);
