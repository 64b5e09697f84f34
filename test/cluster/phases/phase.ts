import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster } from '../cluster.js';
import { Balancer } from '../load/balancer.js';
import { Load, type Sample } from '../load/load.js';
import { checkAudit, checkLedger, percentile, steadyAfter } from '../load/verdicts.js';
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

/** Runs a phase under a load of its own; at its end every write must be what it was answered to be. */
export async function underLoad(
  setting: Setting,
  phase: string,
  run: (under: UnderLoad) => Promise<void>,
): Promise<void> {
  const { cluster, report, token } = setting;
  const balancer = new Balancer(cluster.gateways, token);
  const load = await Load.start(balancer, cluster.url, token);
  try {
    await run({ ...setting, load, phase });
  } finally {
    await load.stop();
    await balancer.close();
  }
  await checkLedger(load, phase, report);
  await checkAudit(load, phase, report);
}

export const seconds = (count: number) => delay(count * 1000);

/** The 99th percentile of the reads of a service, in milliseconds; at least 25, below which the machine's noise decides. */
export const usual = (samples: Sample[], service?: string): number =>
  Math.max(
    25,
    percentile(
      readsOf(samples, service).map(({ sent }) => sent.ms),
      0.99,
    ),
  );

export const readsOf = (samples: Sample[], service?: string): Sample[] =>
  samples.filter((sample) => sample.isRead && (service === undefined || sample.service === service));

/** Tells when the reads of a service were as before. */
export function tellSteady({ load, report, phase }: UnderLoad, since: number, before: number, service?: string): void {
  const reads = readsOf(load.samples, service).filter(({ at }) => at >= since);
  const steady = steadyAfter(reads, since, before);
  report.note(
    phase,
    `p99 of reads before: ${Math.round(before)} ms; within twice of it again after ${steady ?? 'never'} s`,
  );
}

/** Memory of every process in MiB, by name. */
export const memories = ({ nodes }: Cluster): Map<string, number> =>
  new Map(nodes.filter((node) => node.isRunning()).map((node) => [node.name, node.memory()]));
