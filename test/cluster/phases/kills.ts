import { stopwatch } from '../../../shared/testing/stopwatch.js';
import { checkAnswers } from '../load/verdicts.js';
import type { Node } from '../node.js';
import { inTurn } from '../turn.js';
import { type Setting, underLoad } from './phase.js';

/** Kills one process of each service in turn under load, and starts it again. */
export async function kills(setting: Setting): Promise<void> {
  const { cluster } = setting;
  for (const service of inTurn(cluster.services)) await kill(setting, cluster.of(service)[0] as Node);
}

async function kill(setting: Setting, victim: Node): Promise<void> {
  await underLoad(setting, `kill -9 ${victim.service}`, async ({ load, phase, report }) => {
    const isOfVictim = (service: string) => victim.service === 'gateway' || service === victim.service;
    await victim.end('SIGKILL');
    // The other process does all the work.
    await load.goesOn(2, isOfVictim);
    const took = stopwatch();
    await victim.start();
    await victim.ready();
    report.note(phase, `start to readiness: ${(took() / 1000).toFixed(1)} s`);
    await load.goesOn(2, isOfVictim);
    await load.stop();
    checkAnswers(load.samples, { reads: [], writes: [0, 503, 504] }, [phase, report]);
    const rerouted = load.samples.filter(({ sent }) => sent.rerouted > 0).length;
    if (rerouted > 0) report.note(phase, `${rerouted} requests went to the other gateway`);
  });
}
