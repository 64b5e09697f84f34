import { readdirSync, readFileSync } from 'node:fs';
import { request as send } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

/** What was seen of a product since the last question. */
export interface Seen {
  /** Of small requests that are sent every few milliseconds; in milliseconds. */
  p99: number;
  /** The longest that its event loop was held. */
  heldMs: number;
  /** The most resident memory of one of its processes for specifications, MiB; 0 where they are not watched. */
  workerMiB: number;
}

const { url, pid, path, token, watchesWorkers } = workerData as Record<'url' | 'path' | 'token', string> & {
  pid: number;
  watchesWorkers: boolean;
};
const everyMs = 4;

let times: number[] = [];
let workerKiB = 0;

const small = (at: string): Promise<string> =>
  new Promise((answered, failed) => {
    const asked = send(url + at, { headers: { authorization: `Bearer ${token}` } }, (answer) => {
      let text = '';
      answer.on('data', (part) => {
        text += part;
      });
      answer.on('end', () => answered(text));
    });
    asked.on('error', failed).end();
  });

/** Resident memory of the processes that read specifications. */
function lookAtWorkers(): void {
  for (const each of readdirSync('/proc')) {
    if (!/^\d+$/.test(each)) continue;
    try {
      if (Number(readFileSync(`/proc/${each}/stat`, 'latin1').split(') ')[1]?.split(' ')[1]) !== pid) continue;
      if (!readFileSync(`/proc/${each}/cmdline`, 'latin1').includes('spec-worker')) continue;
      const [, kib] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${each}/status`, 'latin1')) ?? [];
      workerKiB = Math.max(workerKiB, Number(kib));
    } catch {
      // It has ended.
    }
  }
}

async function heldMs(): Promise<number> {
  const metrics = await small('/metrics');
  return Number(/^nodejs_eventloop_lag_max_seconds(?:\{.*\})? (\S+)$/m.exec(metrics)?.[1] ?? Number.NaN) * 1000;
}

parentPort?.on('message', async () => {
  const sorted = times.toSorted((a, b) => a - b);
  times = [];
  const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
  parentPort?.postMessage({ p99, heldMs: await heldMs(), workerMiB: workerKiB / 1024 } satisfies Seen);
  workerKiB = 0;
});

if (watchesWorkers) setInterval(lookAtWorkers, 25);
for (;;) {
  const began = performance.now();
  // Each request is sent in its time, also while others wait.
  void small(path).then(() => times.push(performance.now() - began));
  await pause(everyMs);
}
