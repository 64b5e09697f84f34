import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A function in a profile of V8. */
export interface Frame {
  name: string;
  url: string;
}

interface CpuProfile {
  /** Microseconds of the monotonic clock. */
  startTime: number;
  nodes: { id: number; callFrame: { functionName: string; url: string }; children?: number[] }[];
  samples: number[];
  timeDeltas: number[];
}

/** Microseconds of the monotonic clock, which all processes share. */
export const monotonicMicros = (): number => Number(process.hrtime.bigint() / 1000n);

/** A part of a run, in microseconds of the monotonic clock. */
export interface Span {
  from: number;
  to: number;
}

/** The samples of a process that was started with `--cpu-prof` and has ended. */
export class Samples {
  private readonly stacks = new Map<number, Frame[]>();
  private readonly profile: CpuProfile;

  constructor(folder: string, pid: number) {
    const file = readdirSync(folder).find((name) => name.includes(`.${pid}.0.`) && name.endsWith('.cpuprofile'));
    if (!file) throw new Error(`process ${pid} has left no profile`);
    this.profile = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    const parents = new Map(
      this.profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])),
    );
    const frames = new Map(
      this.profile.nodes.map(({ id, callFrame: { functionName: name, url } }) => [id, { name, url }]),
    );
    for (const { id } of this.profile.nodes) this.stacks.set(id, stackOf(id, parents, frames));
  }

  /** Calls `found` with the stack of each sample of a span, the innermost function first, and its microseconds. */
  eachIn({ from, to }: Span, found: (stack: Frame[], micros: number) => void): void {
    const { startTime, samples, timeDeltas } = this.profile;
    let time = startTime;
    for (const [at, node] of samples.entries()) {
      time += timeDeltas[at] ?? 0;
      if (time < from || time > to) continue;
      found(this.stacks.get(node) ?? [], timeDeltas[at + 1] ?? 0);
    }
  }
}

function stackOf(id: number, parents: Map<number, number>, frames: Map<number, Frame>): Frame[] {
  const stack: Frame[] = [];
  for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) stack.push(frames.get(at) as Frame);
  return stack;
}
