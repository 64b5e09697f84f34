import { setTimeout as delay } from 'node:timers/promises';
import { type Wait, waitsKey } from '../../../shared/testing/eventually.js';
import type { Cluster } from '../cluster.js';
import { Balancer } from '../load/balancer.js';
import { Load, type Sample } from '../load/load.js';
import { checkAudit, checkLedger, percentile } from '../load/verdicts.js';
import type { Report } from '../report.js';

export interface Setting {
  cluster: Cluster;
  report: Report;
  token: string;
}

/** What a phase works with while its load runs. */
export interface UnderLoad extends Setting {
  load: Load;
  phase: string;
}

/** The only end of what a phase waits for: it decides how long one that hangs lasts, not how fast the machine is. */
const longestMs = 600_000;

/** Runs a phase; one that does not end breaks the test, and says what was still missing. */
export async function withEnd(phase: string, run: Promise<void>): Promise<void> {
  const over = new AbortController();
  const end = async () => {
    await delay(longestMs, undefined, { signal: over.signal });
    const waits = (globalThis as { [waitsKey]?: Set<Wait> })[waitsKey] ?? [];
    throw new Error(
      `${phase}: not over after ${longestMs / 60_000} minutes; missing: ${[...waits].map((each) => each.missing)}`,
    );
  };
  await Promise.race([run.finally(() => over.abort()), end()]);
}

/** Runs a phase under a load of its own; at its end every write must be what it was answered to be. */
export const underLoad = (setting: Setting, phase: string, run: (under: UnderLoad) => Promise<void>): Promise<void> =>
  withEnd(phase, loaded(setting, phase, run));

async function loaded(setting: Setting, phase: string, run: (under: UnderLoad) => Promise<void>): Promise<void> {
  const { cluster, report, token } = setting;
  const balancer = new Balancer(cluster.gateways, token);
  const load = await Load.start(balancer, cluster.url, token);
  try {
    // So that all that follows happens under load.
    await load.goesOn(2);
    await run({ ...setting, load, phase });
  } finally {
    await load.stop();
    await balancer.close();
  }
  tellReads(load.samples, phase, report);
  await checkLedger(load, phase, report);
  await checkAudit(load, phase, report);
}

function tellReads(samples: Sample[], phase: string, report: Report): void {
  const times = samples.filter(({ isRead }) => isRead).map(({ sent }) => sent.ms);
  const [half, most] = [0.5, 0.99].map((share) => Math.round(percentile(times, share)));
  report.note(phase, `reads took ${half} ms in the median, ${most} ms at the 99th percentile`);
}

/** Memory of every process in MiB, by name. */
export const memories = ({ nodes }: Cluster): Map<string, number> =>
  new Map(nodes.filter((node) => node.isRunning()).map((node) => [node.name, node.memory()]));
