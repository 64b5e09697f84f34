import { stopwatch } from '../../../shared/testing/stopwatch.js';
import type { Engine } from '../engines.js';
import { checkAnswers } from '../load/verdicts.js';
import { inTurn } from '../turn.js';
import { memories, type Setting, underLoad } from './phase.js';

const rounds = Number(process.env.CLUSTER_ROUNDS ?? 1);

/** Which requests an engine is needed for. */
const needing: Record<string, (service: string) => boolean> = {
  nats: () => true,
  mongodb: () => true,
  clickhouse: (service) => service === 'insights',
};

async function outage(setting: Setting, name: string, engine: Engine): Promise<void> {
  const isNeeded = needing[name] as (service: string) => boolean;
  await underLoad(setting, `${name} away`, async ({ load, phase, report, cluster }) => {
    const memory = memories(cluster);
    const needed = load.kinds.map(({ service }) => service).filter(isNeeded);
    for (let round = 0; round < rounds; round++) {
      await engine.stop();
      // Until each service that needs it has refused something, and all others have gone on.
      const refuses = (service: string) =>
        load.until(1, (each) => each.service === service && each.sent.status === 503);
      await Promise.all([...needed.map(refuses), load.goesOn(2, (service) => !isNeeded(service))]);
      await engine.start();
      const took = stopwatch();
      await load.goesOn(2);
      report.note(phase, `every service answers again ${(took() / 1000).toFixed(1)} s after its return`);
    }
    await load.stop();
    const ofNeeded = load.samples.filter(({ service }) => isNeeded(service));
    checkAnswers(ofNeeded, { reads: [503], writes: [503, 504] }, [phase, report]);
    const others = load.samples.filter(({ service }) => !isNeeded(service));
    if (others.length > 0) checkAnswers(others, { reads: [], writes: [] }, [`${phase}: all others`, report]);
    const grown = [...memories(cluster)].map(([node, now]) => ({ node, by: now - (memory.get(node) ?? now) }));
    const most = grown.reduce((a, b) => (b.by > a.by ? b : a));
    report.note(phase, `memory: ${most.node} grew most, by ${Math.round(most.by)} MiB`);
    const dead = cluster.nodes.filter((node) => !node.isRunning());
    report.promise(phase, `no process ended${dead.map((node) => ` ${node.name}`)}`, dead.length === 0);
  });
}

/** Kills NATS, MongoDB and ClickHouse in turn under load, and starts them again. */
export async function outages(setting: Setting): Promise<void> {
  for (const [name, engine] of inTurn(Object.entries(setting.cluster.engines))) await outage(setting, name, engine);
}
