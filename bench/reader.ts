import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import autocannon from 'autocannon';
import { median } from './median.js';
import { type Product, token, withProduct } from './product.js';

/**
 * The pages of the handbook as a published site: cold (the first reader after a start), warm, and unchanged, beside a read of a space by the API.
 * With `RENDERER_PAGE`, the address of a page on a renderer that runs beside, the same readers go there too.
 */
const seconds = Number(process.env.BENCH_SECONDS ?? 4);
const rounds = 3;

interface Space {
  id: string;
  urls: { published?: string };
}
interface Organization {
  items: { id: string }[];
}

interface Asked {
  url: string;
  connections: number;
  headers?: Record<string, string>;
}

/** Readers that ask for one address; the median of some rounds. */
async function read({ url, connections, headers = {} }: Asked) {
  const results: { rate: number; p50: number; p99: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const { requests, latency, non2xx } = await autocannon({
      url,
      connections,
      duration: seconds,
      headers: { 'accept-encoding': 'br', ...headers },
    });
    if (non2xx > 0 && !headers['if-none-match']) throw new Error(`${url}: ${non2xx} failed`);
    results.push({ rate: requests.average, p50: latency.p50, p99: latency.p99 });
  }
  const of = (field: 'rate' | 'p50' | 'p99') => median(results.map((each) => each[field]));
  return { rate: of('rate'), p50: of('p50'), p99: of('p99') };
}

/** Milliseconds of processor time of a request, by the time that all processes of the product used. */
function processorMs(pid: number): number {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const fields = new Map(
    all.flatMap((name): [string, string[]][] => {
      try {
        return [[name, readFileSync(`/proc/${name}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? []]];
      } catch {
        return [];
      }
    }),
  );
  const isOurs = (name: string): boolean =>
    name === String(pid) || (fields.has(name) && isOurs(fields.get(name)?.[1] ?? ''));
  let ticks = 0;
  for (const [name, values] of fields) if (isOurs(name)) ticks += Number(values[11]) + Number(values[12]);
  return ticks * 10;
}

/** The first read of each page of a site: milliseconds, and processor time of all processes. */
async function readCold({ pid }: Product, pages: string[]): Promise<void> {
  const [first = '', ...others] = pages;
  // Starts the processes that render.
  await (await fetch(first)).text();
  const before = processorMs(pid);
  const times: number[] = [];
  for (const page of others) {
    const began = performance.now();
    const answer = await fetch(page, { headers: { 'accept-encoding': 'identity' } });
    await answer.text();
    if (!answer.ok) throw new Error(`${page}: ${answer.status}`);
    times.push(performance.now() - began);
  }
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) => (sorted[Math.floor(share * sorted.length)] ?? 0).toFixed(1);
  const processor = ((processorMs(pid) - before) / others.length).toFixed(1);
  process.stdout.write(
    `cold: ${others.length} pages, p50 ${at(0.5)} ms (goal 10), p99 ${at(0.99)} ms, ${processor} ms of a processor each\n`,
  );
}

const line = (name: string, { rate, p50, p99 }: { rate: number; p50: number; p99: number }, more = '') =>
  process.stdout.write(`${name.padEnd(34)} ${rate.toFixed(0).padStart(7)}/s  p50 ${p50} ms  p99 ${p99} ms ${more}\n`);

/** The address of the site that shows the handbook, and its pages. */
async function handbookSite({ call, url }: Product): Promise<{ space: string; pages: string[] }> {
  const { items } = await call<Organization>('GET', '/orgs');
  const organization = items[0]?.id ?? '';
  const { items: spaces } = await call<{ items: Space[] }>('GET', `/orgs/${organization}/spaces`);
  const space = spaces[0]?.id ?? '';
  const body = { type: 'basic', title: 'Bench', visibility: 'public', spaces: [space] };
  const { id } = await call<{ id: string }>('POST', `/orgs/${organization}/sites`, body);
  await call('POST', `/orgs/${organization}/sites/${id}/publish`);
  const site = `${url}/sites/${id}/`;
  // The first start imports the handbook beside what else it does.
  for (;;) {
    const sitemap = await (await fetch(`${site}sitemap-pages.xml`)).text();
    const pages = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, page = '']) => page);
    if (pages.length > 0) return { space, pages };
    await pause(100);
  }
}

await withProduct(async (product) => {
  const { space, pages } = await handbookSite(product);
  const before = product.memory();
  await readCold(product, pages);
  const page = pages[Math.floor(pages.length / 2)] ?? '';
  const etag = (await fetch(page)).headers.get('etag') ?? '';
  const api = { url: `${product.url}/v1/spaces/${space}`, headers: { authorization: `Bearer ${token}` } };
  for (const connections of [1, 64]) {
    const floor = await read({ ...api, connections });
    const warm = await read({ url: page, connections });
    line(`a space by the API, ${connections}`, floor);
    line(`warm page, ${connections}`, warm, `${(warm.rate / floor.rate).toFixed(2)} of the space (goal 0.5)`);
    line(`unchanged page, ${connections}`, await read({ url: page, connections, headers: { 'if-none-match': etag } }));
    const { RENDERER_PAGE } = process.env;
    if (RENDERER_PAGE) line(`renderer, ${connections}`, await read({ url: RENDERER_PAGE, connections }));
  }
  process.stdout.write(
    `memory of the server: ${before.toFixed(0)} MiB, after all readers ${product.memory().toFixed(0)} MiB\n`,
  );
});
