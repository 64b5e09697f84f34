import { checkAnswers } from '../load/verdicts.js';
import { type Setting, seconds, tellSteady, underLoad, usual } from './phase.js';

/** Kills one process of each service in turn under load, and starts it again. */
export async function kills(setting: Setting): Promise<void> {
  const { cluster, report } = setting;
  for (const [victim] of cluster.services.map((name) => cluster.of(name)))
    if (victim)
      await underLoad(setting, `kill -9 ${victim.service}`, async (under) => {
        const { load, phase } = under;
        await seconds(4);
        const service = victim.service === 'gateway' ? undefined : victim.service;
        const before = usual(load.samples, service);
        const since = performance.now();
        await victim.end('SIGKILL');
        await seconds(3);
        await victim.start();
        await victim.ready();
        const back = performance.now();
        await seconds(6);
        await load.stop();
        checkAnswers(load.samples, { reads: [], writes: [0, 503, 504] }, [phase, report]);
        const rerouted = load.samples.filter(({ sent }) => sent.rerouted > 0).length;
        if (rerouted > 0) report.note(phase, `${rerouted} requests went to the other gateway`);
        report.note(phase, `start to readiness: ${((back - since) / 1000 - 3).toFixed(1)} s`);
        tellSteady(under, since, before, service);
      });
}
