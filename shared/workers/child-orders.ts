/** A process to be started; `env` is its whole environment. */
export interface ChildSpec {
  command: string;
  args: readonly string[];
  cwd: string;
  env: Record<string, string>;
  /** How far it gives way when processor time is scarce. */
  niceness: number;
}

/** Tells the program that starts processes to start one. */
export interface StartOrder extends ChildSpec {
  id: number;
}

/** Says how the order with that number goes. */
export type StartReport = { id: number } & ({ pid: number } | { error: string } | { ended: number | NodeJS.Signals });

/** Input, output and errors, each a connection of its own. */
export const streamCount = 3;

const digits = 12;

/** How many bytes on a connection say whose stream it is, before those of the process. */
export const streamHeaderLength = digits + 1;
export const streamHeader = (id: number, stream: number): string => `${id}`.padStart(digits) + stream;

export const parseStreamHeader = (header: string): { id: number; stream: number } => ({
  id: Number(header.slice(0, digits)),
  stream: Number(header.slice(digits)),
});
