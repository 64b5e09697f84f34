import { Presets, SingleBar } from 'cli-progress';

/** Shows how far a command has come: a bar on a terminal, a line every few seconds elsewhere. */
export interface Progress {
  advance(by: number): void;
  end(): void;
}

const lineMs = 5_000;

export const printText = (text = ''): void => void process.stdout.write(`${text}\n`);

/** Shows the progress of `what`, of which there are `total`. */
export function showProgress(what: string, total: number): Progress {
  if (process.stdout.isTTY) return openBar(what, total);
  let done = 0;
  const saying = setInterval(() => printText(`  ${what}: ${done} of ${total}`), lineMs).unref();
  return {
    advance(by) {
      done += by;
    },
    end: () => clearInterval(saying),
  };
}

function openBar(what: string, total: number): Progress {
  const bar = new SingleBar(
    { format: `  ${what} {bar} {value}/{total} {duration_formatted}`, clearOnComplete: true },
    Presets.shades_classic,
  );
  bar.start(total, 0);
  return { advance: (by) => bar.increment(by), end: () => bar.stop() };
}

/** `1234567` as `1.2 MB`. */
export function inUnits(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const at = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${at === 0 ? bytes : (bytes / 1000 ** at).toFixed(1)} ${units[at]}`;
}

/** A signal that the first SIGINT or SIGTERM aborts, so that what a command has begun is taken back; the second one ends it at once. */
export function abortOnSignal(): AbortSignal {
  const ended = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      if (ended.signal.aborted) process.exit(1);
      ended.abort(new Error(`ended by ${signal}`));
    });
  return ended.signal;
}
