import type { Readable } from 'node:stream';

/** How a process ended: by itself, by a signal, or as nobody can tell any more, because what ran it is gone. */
export type End = NodeJS.Signals | number | 'lost' | null;

/** What a process has used. */
export interface Use {
  /** From any beginning. */
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

/** Where processes of workerd run. */
export interface Launcher {
  /** Where each process has its folder. */
  folder: string;
  /** Starts workerd in a folder, with the configuration there. Rejects with a `RuntimeFailure`. */
  launch(folder: string): Promise<Launched>;
}

const kept = 16 * 1024;

/** Keeps the last of what a stream brings. */
export function tailOf(stream: Readable): () => string {
  let tail = '';
  stream.on('data', (chunk: Buffer) => {
    tail = (tail + chunk.toString()).slice(-kept);
  });
  return () => tail;
}
