import { readFileSync } from 'node:fs';

const tickMs = 10;
/** Milliseconds of the processor; a turn that holds up others takes many times as long. */
const longestMs = 2_000;

/** Milliseconds of the processor that the thread of a process that runs its event loop has taken. */
function loopMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}

/** A process, and a question that it answers. */
export interface Asked {
  pid: number;
  ask(): Promise<unknown>;
}

/**
 * Asks processes again and again until `work` ends, and `least` times before that: none where the work may be over at once. Throws when the
 * thread of the event loop of one took seconds of the processor between a question and its answer: what it does for others would have to wait
 * for it. What the machine does meanwhile does not count.
 */
export async function whileAnswering<T>(
  asked: readonly Asked[],
  work: () => Promise<T>,
  { least = 1 } = {},
): Promise<T> {
  let isOver = false;
  let longest = 0;
  let answers = 0;
  const askOne = async ({ pid, ask }: Asked) => {
    const before = loopMs(pid);
    await ask();
    longest = Math.max(longest, loopMs(pid) - before);
  };
  const asking = (async () => {
    while (!isOver) {
      await Promise.all(asked.map(askOne));
      if (!isOver) answers += 1;
    }
  })();
  const result = await work().finally(() => {
    isOver = true;
  });
  await asking;
  if (answers < least) throw new Error(`it answered ${answers} questions meanwhile`);
  if (longest > longestMs) throw new Error(`an answer waited for ${longest} ms of work of the process that gives it`);
  return result;
}
