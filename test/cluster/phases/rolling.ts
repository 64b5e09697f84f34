import { checkAnswers } from '../load/verdicts.js';
import { type Setting, seconds, underLoad } from './phase.js';

/** Restarts every process in turn under load, as an upgrade does: SIGTERM, its end, a start, readiness, the next. */
export async function rolling(setting: Setting): Promise<void> {
  await underLoad(setting, 'rolling restart', async ({ cluster, load, phase, report }) => {
    await seconds(2);
    const began = performance.now();
    const stops: { name: string; code: number | null; ms: number; isInTime: boolean }[] = [];
    for (const node of cluster.nodes) {
      const since = performance.now();
      const code = await node.end('SIGTERM');
      const ms = performance.now() - since;
      stops.push({ name: node.name, code, ms, isInTime: ms < node.graceMs });
      await node.start();
      await node.ready();
      await seconds(1);
    }
    await seconds(2);
    await load.stop();
    const bad = stops.filter(({ code, isInTime }) => code !== 0 || !isInTime);
    const longest = stops.reduce((a, b) => (b.ms > a.ms ? b : a));
    const text = `every process ended with 0 within its grace period; ${longest.name} took longest, ${(longest.ms / 1000).toFixed(1)} s`;
    report.promise(phase, bad.length === 0 ? text : JSON.stringify(bad), bad.length === 0);
    report.note(phase, `${stops.length} processes in ${Math.round((performance.now() - began) / 1000)} s`);
    checkAnswers(load.samples, { reads: [], writes: [503] }, [phase, report]);
  });
}
