import { setTimeout as pause } from 'node:timers/promises';
import { importFlatSpace } from './large-space.js';
import { median } from './median.js';
import { type Call, type Product, withProduct } from './product.js';

/**
 * What writing costs in a space of 10,000 pages against one of 100, and what reading in a change request costs against the current
 * content: ratios of medians, measured in turns in one run.
 */
const rounds = Number(process.env.BENCH_ROUNDS ?? 25);

async function timed<T>(act: () => Promise<T>): Promise<{ ms: number; value: T }> {
  const began = performance.now();
  const value = await act();
  return { ms: performance.now() - began, value };
}

function report(name: string, large: number[], small: number[], goal: number): boolean {
  const [slow, fast] = [median(large), median(small)];
  const ok = slow / fast <= goal;
  const line = `${name.padEnd(40)} ${(slow / fast).toFixed(2)} (goal ${goal}): ${slow.toFixed(1)} ms, ${fast.toFixed(1)} ms`;
  process.stdout.write(`${ok ? 'ok  ' : 'MISS'} ${line}\n`);
  return ok;
}

/** A space under measurement, with the ids of its pages. */
interface Measured {
  space: string;
  pages: string[];
  times: Record<'create' | 'write' | 'merge' | 'late merge' | 'found', number[]>;
}

async function measured(call: Call, organization: string, count: number): Promise<Measured> {
  const space = await importFlatSpace(call, organization, count);
  const { pages } = (await call('GET', `/spaces/${space}/content/pages`)) as { pages: { id: string }[] };
  const times = { create: [], write: [], merge: [], 'late merge': [], found: [] };
  return { space, pages: pages.map(({ id }) => id), times };
}

type Made = { id: string };

/** Two change requests of one page each, written and merged; the second when the content has moved on. */
async function round(call: Call, { space, pages, times }: Measured, at: number): Promise<void> {
  const path = `/spaces/${space}/change-requests`;
  const made: string[] = [];
  for (const each of [0, 1]) {
    const { ms, value } = await timed(() => call('POST', path, { subject: 'Bench' }) as Promise<Made>);
    times.create.push(ms);
    const page = pages[(at * 7 + each * 31) % pages.length];
    const markdown = `# Page ${at}\n\nThe word quokka${at}x${each} is new.\n`;
    const changes = [{ operation: 'update_page', page, document: { markdown } }];
    times.write.push((await timed(() => call('POST', `${path}/${value.id}/content`, { changes }))).ms);
    made.push(value.id);
  }
  const [first, second] = made;
  times.merge.push((await timed(() => call('POST', `${path}/${first}/merge`))).ms);
  times['late merge'].push((await timed(() => call('POST', `${path}/${second}/merge`))).ms);
  times.found.push((await timed(() => found(call, space, `quokka${at}x1`))).ms);
}

async function found(call: Call, space: string, word: string): Promise<void> {
  for (;;) {
    const { count } = (await call('GET', `/spaces/${space}/search?query=${word}`)) as { count: number };
    if (count > 0) return;
    await pause(2);
  }
}

/** Times of reading one page in a change request and in the current content, in turns. */
async function reading(call: Call, { space, pages }: Measured): Promise<{ there: number[]; here: number[] }> {
  const { id } = (await call('POST', `/spaces/${space}/change-requests`, {})) as Made;
  const times = { there: [] as number[], here: [] as number[] };
  for (let at = 0; at < rounds * 20; at++) {
    const page = `/page/${pages[at % 50]}?format=markdown`;
    times.there.push((await timed(() => call('GET', `/spaces/${space}/change-requests/${id}/content${page}`))).ms);
    times.here.push((await timed(() => call('GET', `/spaces/${space}/content${page}`))).ms);
  }
  return times;
}

async function measure({ call, memory }: Product): Promise<void> {
  const { id: organization } = (await call('POST', '/orgs', { title: 'Writing' })) as Made;
  const small = await measured(call, organization, 100);
  const large = await measured(call, organization, 10_000);
  for (let at = 0; at < rounds + 3; at++) {
    // The first rounds warm up.
    if (at === 3) for (const { times } of [small, large]) for (const list of Object.values(times)) list.length = 0;
    for (const each of at % 2 === 0 ? [small, large] : [large, small]) await round(call, each, at);
  }
  const of = (name: keyof Measured['times']) => [large.times[name], small.times[name]] as const;
  const reads = await reading(call, large);
  const results = [
    report('create a change request', ...of('create'), 1.5),
    report('change one page', ...of('write'), 3),
    report('merge', ...of('merge'), 3),
    report('merge after another merge', ...of('late merge'), 3),
    report('from that merge to the first hit', ...of('found'), 3),
    report('read in a change request', reads.there, reads.here, 1.2),
  ];
  process.stdout.write(`memory afterwards ${Math.round(memory())} MiB\n`);
  process.exitCode = results.every(Boolean) ? 0 : 1;
}

await withProduct(measure);
