import { stopwatch } from '../../../shared/testing/stopwatch.js';
import { checkAnswers } from '../load/verdicts.js';
import { type Setting, underLoad } from './phase.js';

/** Restarts every process in turn under load, as an upgrade does: SIGTERM, its end, a start, readiness, the next. */
export async function rolling(setting: Setting): Promise<void> {
  await underLoad(setting, 'rolling restart', async ({ cluster, load, phase, report }) => {
    const took = stopwatch();
    const stops: { name: string; code: number | null; ms: number }[] = [];
    for (const node of cluster.nodes) {
      const ms = stopwatch();
      const code = await node.end('SIGTERM');
      stops.push({ name: node.name, code, ms: ms() });
      await node.start();
      await node.ready();
      await load.until(5, () => true);
    }
    await load.goesOn(2);
    await load.stop();
    const bad = stops.filter(({ code }) => code !== 0);
    report.promise(
      phase,
      `every process ended with 0 ${bad.map(({ name, code }) => `${name}: ${code}`)}`,
      bad.length === 0,
    );
    const longest = stops.reduce((a, b) => (b.ms > a.ms ? b : a));
    report.note(phase, `${longest.name} took longest to end, ${(longest.ms / 1000).toFixed(1)} s`);
    report.note(phase, `${stops.length} processes in ${Math.round(took() / 1000)} s`);
    checkAnswers(load.samples, { reads: [], writes: [503] }, [phase, report]);
  });
}
