import type { Engine } from '../engines.js';
import { checkAnswers } from '../load/verdicts.js';
import { memories, readsOf, type Setting, seconds, tellSteady, type UnderLoad, underLoad, usual } from './phase.js';

const awaySeconds = Number(process.env.CLUSTER_AWAY_SECONDS ?? 8);
const rounds = Number(process.env.CLUSTER_ROUNDS ?? 1);
/** MiB that a process may grow by over an outage: garbage that is not collected yet. */
const mostGrowth = 150;

/** Which requests an engine is needed for. */
const needing: Record<string, (service: string) => boolean> = {
  nats: () => true,
  mongodb: () => true,
  clickhouse: (service) => service === 'insights',
};

/** Seconds from the return of an engine to the first answer of each service that it is needed for. */
function tellRecovery({ load, report, phase }: UnderLoad, back: number, isNeeded: (service: string) => boolean): void {
  const firsts = load.kinds
    .filter(({ service }) => isNeeded(service))
    .map(({ service }) => {
      const first = readsOf(load.samples, service).find(({ at, sent }) => at >= back && sent.status === 200);
      return first ? (first.at - back) / 1000 : Number.POSITIVE_INFINITY;
    });
  const slowest = Math.max(...firsts);
  report.promise(phase, `every service answers again ${slowest.toFixed(1)} s after its return`, slowest < 10);
}

async function outage(setting: Setting, name: string, engine: Engine): Promise<void> {
  const isNeeded = needing[name] as (service: string) => boolean;
  await underLoad(setting, `${name} away`, async (under) => {
    const { load, phase, report, cluster } = under;
    await seconds(3);
    const before = usual(load.samples);
    const memory = memories(cluster);
    for (let round = 0; round < rounds; round++) {
      await engine.stop();
      await seconds(awaySeconds);
      await engine.start();
      const back = performance.now();
      await seconds(8);
      tellRecovery(under, back, isNeeded);
      tellSteady(under, back, before);
    }
    await load.stop();
    const needed = load.samples.filter(({ service }) => isNeeded(service));
    checkAnswers(needed, { reads: [503], writes: [503, 504] }, [phase, report]);
    const others = load.samples.filter(({ service }) => !isNeeded(service));
    if (others.length > 0) checkAnswers(others, { reads: [], writes: [] }, [`${phase}: all others`, report]);
    const grown = [...memories(cluster)].map(([node, now]) => ({ node, by: now - (memory.get(node) ?? now) }));
    const most = grown.reduce((a, b) => (b.by > a.by ? b : a));
    report.promise(phase, `memory: ${most.node} grew most, by ${Math.round(most.by)} MiB`, most.by < mostGrowth);
    const dead = cluster.nodes.filter((node) => !node.isRunning());
    report.promise(phase, `no process ended${dead.map((node) => ` ${node.name}`)}`, dead.length === 0);
  });
}

/** Kills NATS, MongoDB and ClickHouse in turn under load, and starts them again. */
export async function outages(setting: Setting): Promise<void> {
  for (const [name, engine] of Object.entries(setting.cluster.engines)) await outage(setting, name, engine);
}
