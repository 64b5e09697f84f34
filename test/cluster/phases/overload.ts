import { Balancer } from '../load/balancer.js';
import { checkAnswers, percentile } from '../load/verdicts.js';
import { memories, readsOf, type Setting, seconds, tellSteady, underLoad, usual } from './phase.js';

/** Reads of the frozen service a second, beside the load. */
const floodASecond = 200;
const frozenSeconds = 10;
/** MiB that a gateway may take for what waits. */
const mostGrowth = 200;
/** How much slower the reads of all other services may become. */
const mostSlower = 5;

/** Freezes both processes of a service under many requests: they may neither pile up nor hold up other services. */
export async function overload(setting: Setting): Promise<void> {
  const { cluster, token } = setting;
  await underLoad(setting, 'content frozen', async (under) => {
    const { load, phase, report } = under;
    const balancer = new Balancer(cluster.gateways, token);
    const read = load.kinds.find(({ service }) => service === 'content')?.read;
    await seconds(3);
    const [before, ours] = [usual(load.samples, 'comments'), usual(load.samples, 'content')];
    const memory = memories(cluster);
    const flood: Promise<{ status: number; ms: number }>[] = [];
    const frozenAt = performance.now();
    for (const node of cluster.of('content')) node.signal('SIGSTOP');
    const flooding = setInterval(() => read && flood.push(balancer.send(read)), 1000 / floodASecond);
    await seconds(frozenSeconds);
    const grown = cluster.gateways.map((node) => node.memory() - (memory.get(node.name) ?? 0));
    for (const node of cluster.of('content')) node.signal('SIGCONT');
    const back = performance.now();
    clearInterval(flooding);
    const answers = await Promise.all(flood);
    await seconds(6);
    await load.stop();
    await balancer.close();

    const refused = answers.filter(({ status }) => status === 503);
    const atOnce = refused.filter(({ ms }) => ms < 1_000).length;
    const wrong = answers.filter(({ status }) => status !== 200 && status !== 503).length;
    const text = `flood of ${answers.length}: ${answers.length - refused.length} answered, ${refused.length} refused with 503, ${atOnce} of them at once`;
    report.promise(phase, text, wrong === 0);
    const most = Math.max(...grown);
    report.promise(phase, `memory of a gateway grew by ${Math.round(most)} MiB`, most < mostGrowth);
    // Those that ask content themselves wait with it.
    const meanwhile = readsOf(load.samples, 'identity').filter(({ at }) => at > frozenAt && at < back);
    const slow = percentile(
      meanwhile.map(({ sent }) => sent.ms),
      0.99,
    );
    const isFine = meanwhile.every(({ sent }) => sent.status === 200) && slow < mostSlower * Math.max(before, ours);
    report.promise(phase, `reads of identity meanwhile: p99 ${Math.round(slow)} ms, all answered`, isFine);
    tellSteady(under, back, ours, 'content');
    checkAnswers(load.samples, { reads: [503], writes: [503, 504] }, [phase, report]);
  });
}
