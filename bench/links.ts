import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { importSpace } from './large-space.js';
import { median } from './median.js';
import { type Call, type Product, withProduct } from './product.js';

/**
 * What lists of links cost in a space of 10,000 pages against one of 100: ratios of medians, measured in turns in one run. Besides, the
 * time of the first list of all links, and that of the first after a page was changed.
 */
const rounds = Number(process.env.BENCH_ROUNDS ?? 200);
const goal = 1.5;

/** A page with links to others, to their sections, to a file and to a page that does not exist. */
const page = (at: number, pages: number): string => {
  const other = (by: number) => `page-${(at + by) % pages}.md`;
  const near = [1, 2, 3, 5, 8].map((by) => `[near](${other(by)}) [section](${other(by)}#more)`);
  return `# Page number ${at}\n\n${near.join(' ')}\n\n## More\n\n![](.gitbook/assets/a.png) [lost](lost-${at}.md) [far](https://example.com/${at})\n`;
};

interface Measured {
  space: string;
  pages: string[];
  times: Record<'links of a page' | 'backlinks of a page', number[]>;
}

async function measured(call: Call, organization: string, count: number): Promise<Measured> {
  const space = await importSpace(call, organization, async (folder) => {
    const numbers = Array.from({ length: count }, (_, at) => at);
    for (const at of numbers) await writeFile(join(folder, `page-${at}.md`), page(at, count));
    const lines = numbers.map((at) => `* [Page number ${at}](page-${at}.md)`);
    await writeFile(join(folder, 'SUMMARY.md'), `# Table of contents\n\n${lines.join('\n')}\n`);
  });
  const { pages } = (await call('GET', `/spaces/${space}/content/pages`)) as { pages: { id: string }[] };
  return { space, pages: pages.map(({ id }) => id), times: { 'links of a page': [], 'backlinks of a page': [] } };
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await act();
  return performance.now() - began;
}

async function round(call: Call, { space, pages, times }: Measured, at: number): Promise<void> {
  const path = `/spaces/${space}/content/page/${pages[(at * 37) % pages.length]}`;
  times['links of a page'].push(await timed(() => call('GET', `${path}/links`)));
  times['backlinks of a page'].push(await timed(() => call('GET', `${path}/backlinks`)));
}

/** Milliseconds of the first list of all links, of the next, and of the first in a change request that changes one page. */
async function wholeSpace(call: Call, { space, pages }: Measured): Promise<number[]> {
  const links = `/spaces/${space}/links?limit=50`;
  const times = [await timed(() => call('GET', links)), await timed(() => call('GET', links))];
  const { id } = (await call('POST', `/spaces/${space}/change-requests`, {})) as { id: string };
  const changes = [{ operation: 'update_page', page: pages[7], document: { markdown: '# Seven\n' } }];
  await call('POST', `/spaces/${space}/change-requests/${id}/content`, { changes });
  times.push(await timed(() => call('GET', `/spaces/${space}/change-requests/${id}/links?limit=50`)));
  return times;
}

function report(name: keyof Measured['times'], large: Measured, small: Measured): boolean {
  const [slow, fast] = [median(large.times[name]), median(small.times[name])];
  const ok = slow / fast <= goal;
  const line = `${name.padEnd(24)} ${(slow / fast).toFixed(2)} (goal ${goal}): ${slow.toFixed(1)} ms, ${fast.toFixed(1)} ms`;
  process.stdout.write(`${ok ? 'ok  ' : 'MISS'} ${line}\n`);
  return ok;
}

async function measure({ call, memory }: Product): Promise<void> {
  const { id: organization } = (await call('POST', '/orgs', { title: 'Links' })) as { id: string };
  const small = await measured(call, organization, 100);
  const large = await measured(call, organization, 10_000);
  for (const each of [small, large]) {
    const [first, next, changed] = (await wholeSpace(call, each)).map((ms) => ms.toFixed(0));
    const count = each.pages.length.toLocaleString('en');
    process.stdout.write(
      `     all links of ${count} pages: first ${first} ms, again ${next} ms, one page changed ${changed} ms\n`,
    );
  }
  for (let at = 0; at < rounds + 10; at++) {
    // The first rounds warm up.
    if (at === 10) for (const { times } of [small, large]) for (const list of Object.values(times)) list.length = 0;
    for (const each of at % 2 === 0 ? [small, large] : [large, small]) await round(call, each, at);
  }
  const names = ['links of a page', 'backlinks of a page'] as const;
  const results = names.map((name) => report(name, large, small));
  process.stdout.write(`memory afterwards ${Math.round(memory())} MiB\n`);
  process.exitCode = results.every(Boolean) ? 0 : 1;
}

await withProduct(measure);
