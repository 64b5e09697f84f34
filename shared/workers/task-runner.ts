import { Worker } from 'node:worker_threads';
import { failureOf } from '../errors/errors.js';

export interface TaskRequest {
  task: string;
  input: unknown;
}

/** The result or error of a task; the class of an error is lost on the way. `tooMuch`: the engine refused to go on. */
export type TaskReply =
  | { result: unknown }
  | { error: { type?: string; reason?: string; message: string; stack?: string; tooMuch: boolean } };

type Tasks = Record<string, (input: unknown) => unknown>;

const send = (reply: TaskReply | 'started') => process.send?.(reply);

/** How the engine refuses: the stack, texts, arrays and maps have a largest size. */
const refusal = /call stack|invalid .*length|maximum .*size|allocation failed|cannot create a string/i;

function failureReply(error: unknown): TaskReply {
  const { message = String(error), stack } = (error ?? {}) as Partial<Error>;
  const { type, reason } = failureOf(error);
  const named = type === 'INTERNAL' ? {} : { type, reason };
  return { error: { message, tooMuch: refusal.test(message), ...(stack ? { stack } : {}), ...named } };
}

/** Ends the process with its parent, which can no longer stop a task: one that is busy does not hear that the parent is gone. */
function endWithParent(): void {
  const watch = `const parent = ${process.ppid};
    setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGKILL'), 1000);`;
  new Worker(watch, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 8 } }).unref();
}

/** Runs the tasks of the module that the arguments name, for the process that forked this one, and ends with it. */
async function serve(module: string): Promise<void> {
  // A signal to the whole group is for the parent, which may still need the result.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  process.on('disconnect', () => process.exit());
  endWithParent();
  const tasks = (await import(module)) as Tasks;
  process.on('message', async ({ task, input }: TaskRequest) => {
    try {
      send({ result: await (tasks[task] as Tasks[string])(input) });
    } catch (error) {
      send(failureReply(error));
    }
  });
  send('started');
}

await serve(process.argv[2] as string).catch((error) => send(failureReply(error)));
