import { Balancer, type Sent } from '../load/balancer.js';
import { checkAnswers, tally } from '../load/verdicts.js';
import { memories, type Setting, underLoad } from './phase.js';

/** Reads of the frozen service that are sent to one gateway at once: some more than may wait for it there. */
const flooding = 1_100;
/** Reads of another service that must be answered meanwhile. */
const meanwhile = 10;

/** Freezes both processes of a service under many requests: they may neither pile up nor hold up other services. */
export async function overload(setting: Setting): Promise<void> {
  const { cluster, token } = setting;
  await underLoad(setting, 'content frozen', async ({ load, phase, report }) => {
    const balancer = new Balancer(cluster.gateways.slice(0, 1), token, flooding);
    const asked = load.kinds.find(({ service }) => service === 'content')?.read;
    if (!asked) throw new Error('the load reads no content');
    const memory = memories(cluster);
    for (const node of cluster.of('content')) node.signal('SIGSTOP');
    const before = load.samples.length;
    let isFrozen = true;
    let refused = 0;
    const ask = async (): Promise<Sent> => {
      const sent = await balancer.send(asked);
      if (isFrozen && sent.body.includes('Too many requests are waiting')) refused += 1;
      return sent;
    };
    const flood = Array.from({ length: flooding }, ask);
    // Reads of other services are answered while content says nothing, and what may not wait is refused.
    await Promise.race(flood);
    await load.until(meanwhile, ({ service, isRead, sent }) => service === 'identity' && isRead && sent.status === 200);
    const identity = load.samples.slice(before).filter(({ service }) => service === 'identity');
    const grown = cluster.gateways.map((node) => node.memory() - (memory.get(node.name) ?? 0));
    isFrozen = false;
    for (const node of cluster.of('content')) node.signal('SIGCONT');
    const answers = await Promise.all(flood);
    await load.goesOn(2);
    await load.stop();
    await balancer.close();

    const samples = answers.map((sent) => ({ service: 'content', isRead: true, at: 0, sent }));
    report.promise(phase, `${refused} of a flood of ${flooding} are refused while it is frozen`, refused > 0);
    report.note(phase, `the flood: ${tally(samples)}; a gateway grew by ${Math.round(Math.max(...grown))} MiB`);
    checkAnswers(samples, { reads: [503], writes: [] }, [`${phase}: the flood`, report]);
    checkAnswers(identity, { reads: [], writes: [] }, [`${phase}: identity meanwhile`, report]);
    checkAnswers(load.samples, { reads: [503], writes: [503, 504] }, [phase, report]);
  });
}
