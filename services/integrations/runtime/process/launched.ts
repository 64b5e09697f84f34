import type { Readable } from 'node:stream';

/** The exit code or signal of a process; `lost` if nobody knows, because what ran it is gone. */
export type End = NodeJS.Signals | number | 'lost' | null;

/** Processor time that a process has used, and the memory that it takes. */
export interface Use {
  /** Counted from an arbitrary beginning: only differences mean anything. */
  processorMs: number;
  residentBytes: number;
}

/** A process of workerd. */
export interface Launched {
  output: Readable;
  errorOutput: Readable;
  /** Resolves when its sockets take requests; never if it ends before. */
  listening: Promise<void>;
  /** Resolves when it is gone and everything that it wrote was read. */
  gone: Promise<End>;
  use(): Use;
  kill(): void;
}

/** Runs processes of workerd. */
export interface Launcher {
  /** Holds a folder for each process. */
  folder: string;
  /** Starts workerd in a folder, with the configuration there. Rejects with a `RuntimeFailure`. */
  launch(folder: string): Promise<Launched>;
}

const kept = 16 * 1024;

/** Keeps the last of what a stream brings. */
export function collectTail(stream: Readable): () => string {
  let tail = '';
  stream.on('data', (chunk: Buffer) => {
    tail = (tail + chunk.toString()).slice(-kept);
  });
  return () => tail;
}
