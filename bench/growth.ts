import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchSettings, type Case, sendLoad } from './cases.js';
import { newSite } from './insights/analyzed-site.js';
import { sentEvents } from './insights/sent-events.js';
import { importFlatSpace } from './large-space.js';
import { cpuMicros, type Running, start } from './processes.js';
import { type Call, caller } from './product.js';

/**
 * What a request costs with ten times and a hundred times the data of its kind: processor time of the server, the least of three
 * rounds. A request that does not grow with its data costs at most 1.3 times as much for each tenfold.
 */
const sizes = [10, 100, 1_000];
const maxPerTenfold = 1.3;
const rounds = 3;
const atOnce = 16;
const eventsOfRequest = 50;

/** Stores so many of a kind; returns requests that read and write among them. */
type Fill = (call: Call, count: number) => Promise<Omit<Case, 'goal'>[]>;

const idOf = async (made: Promise<{ id: string }>): Promise<string> => (await made).id;
const newOrganization = (call: Call) => idOf(call('POST', '/orgs', { title: 'Growth' }));

/** Runs `make` for each number, some at once; what it returns, in order. */
async function each<T>(count: number, make: (at: number) => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  for (let at = 0; at < count; at += atOnce)
    made.push(...(await Promise.all(Array.from({ length: Math.min(atOnce, count - at) }, (_, i) => make(at + i)))));
  return made;
}

const kinds: Record<string, Fill> = {
  async spaces(call, count) {
    const organization = await newOrganization(call);
    const path = `/orgs/${organization}/spaces`;
    const ids = await each(count, (at) => idOf(call('POST', path, { title: `Space ${at}` })));
    return [
      { name: 'read one', path: `/v1/spaces/${ids.at(-1)}` },
      { name: 'list ten', path: `/v1${path}?limit=10` },
      { name: 'change', path: `/v1/spaces/${ids[0]}/comments`, method: 'POST', body: '{"body":{"markdown":"Yes."}}' },
    ];
  },
  async pages(call, count) {
    const organization = await newOrganization(call);
    const space = await importFlatSpace(call, organization, count);
    const { pages } = await call<{ pages: { id: string }[] }>('GET', `/spaces/${space}/content/pages`);
    return [
      { name: 'read one', path: `/v1/spaces/${space}/content/page/${pages.at(-1)?.id}` },
      {
        name: 'tree, unchanged',
        path: `/v1/spaces/${space}/content/pages`,
        headers: { 'if-none-match': '*' },
        status: 304,
      },
      { name: 'search a rare word', path: `/v1/spaces/${space}/search?query=${count - 1}&limit=10` },
    ];
  },
  async members(call, count) {
    const organization = await newOrganization(call);
    const emails = Array.from({ length: count }, (_, at) => `person-${at}@${organization.toLowerCase()}.example`);
    const users: string[] = [];
    for (let at = 0; at < count; at += 100) {
      const invites = { emails: emails.slice(at, at + 100), role: 'read' };
      users.push(...(await call<{ users: string[] }>('POST', `/orgs/${organization}/invites`, invites)).users);
    }
    const path = `/v1/orgs/${organization}/members`;
    return [
      { name: 'read one', path: `${path}/${users.at(-1)}` },
      { name: 'list ten', path: `${path}?limit=10` },
    ];
  },
  async comments(call, count) {
    const space = await idOf(call('POST', `/orgs/${await newOrganization(call)}/spaces`, { title: 'Discussed' }));
    const path = `/spaces/${space}/comments`;
    const ids = await each(count, (at) => idOf(call('POST', path, { body: { markdown: `Comment ${at}.` } })));
    return [
      { name: 'read one', path: `/v1${path}/${ids[0]}` },
      { name: 'list ten', path: `/v1${path}?limit=10` },
      { name: 'post', path: `/v1${path}`, method: 'POST', body: '{"body":{"markdown":"One more."}}' },
    ];
  },
  async sites(call, count) {
    const organization = await newOrganization(call);
    const path = `/orgs/${organization}/sites`;
    const ids = await each(count, (at) => idOf(call('POST', path, { title: `Site ${at}` })));
    return [
      { name: 'read one', path: `/v1${path}/${ids.at(-1)}` },
      { name: 'list ten', path: `/v1${path}?limit=10` },
    ];
  },
  async events(call, count) {
    const { organization, site, address } = await newSite(call);
    const path = `/orgs/${organization}/sites/${site}/insights/events`;
    const requests = sentEvents(count, eventsOfRequest, address);
    await each(count, (at) => call('POST', path, { events: requests[at] }));
    const [[event] = []] = sentEvents(1, 1, address);
    return [
      { name: 'send one', path: `/v1${path}`, method: 'POST', body: JSON.stringify({ events: [event] }), status: 204 },
    ];
  },
  async installations(call, count) {
    const organization = await newOrganization(call);
    const spaces = await each(count, (at) =>
      idOf(call('POST', `/orgs/${organization}/spaces`, { title: `Space ${at}` })),
    );
    const configuration = { url: 'https://hooks.example/in', secret: 'a-secret-of-many-characters' };
    const all = '/integrations/webhook/installations';
    const path = `${all}/${await idOf(call('POST', all, { organization, configuration }))}`;
    await each(count, (at) => call('POST', `${path}/spaces`, { space: spaces[at] }));
    return [
      { name: 'read one', path: `/v1${path}/spaces/${spaces.at(-1)}` },
      { name: 'list ten', path: `/v1${path}/spaces?limit=10` },
      { name: 'read all of it', path: `/v1${path}` },
    ];
  },
};

async function costOf({ url, process }: Running, measured: Omit<Case, 'goal'>): Promise<number> {
  const costs: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const before = cpuMicros(process.pid as number);
    const { requests } = await sendLoad(url, { ...measured, goal: 0 }, 1);
    if (round > 0) costs.push((cpuMicros(process.pid as number) - before) / requests);
  }
  return Math.min(...costs);
}

/** Prints a line for each request of a kind; whether none of them grows. */
async function measureKind(product: Running, kind: string, fill: Fill): Promise<boolean> {
  const call = caller(product);
  const filled = [];
  for (const size of sizes) filled.push(await fill(call, size));
  let isFlat = true;
  for (const [at, { name }] of (filled[0] ?? []).entries()) {
    const costs: number[] = [];
    for (const requests of filled) costs.push(await costOf(product, requests[at] as Omit<Case, 'goal'>));
    const growth = ((costs.at(-1) ?? 0) / (costs[0] ?? 1)) ** (1 / (sizes.length - 1));
    const ok = growth <= maxPerTenfold;
    isFlat &&= ok;
    const shown = costs.map((cost) => `${Math.round(cost)} µs`).join(', ');
    process.stdout.write(
      `${ok ? 'ok  ' : 'MISS'} ${`${kind}: ${name}`.padEnd(28)} ${growth.toFixed(2)} a tenfold: ${shown}\n`,
    );
  }
  return isFlat;
}

/** Measures the kinds that are chosen, by default all, each on a server of its own. */
export async function benchGrowth(chosen: string[]): Promise<void> {
  for (const [kind, fill] of Object.entries(kinds).filter(([kind]) => chosen.length === 0 || chosen.includes(kind))) {
    const folder = await mkdtemp(join(tmpdir(), 'bindery-growth-'));
    const product = await start('services/main.js', { ...benchSettings, EVENTS_PER_MINUTE: '0', DATA_DIR: folder });
    try {
      if (!(await measureKind(product, kind, fill))) process.exitCode = 1;
    } finally {
      await product.stop();
      await rm(folder, { recursive: true, force: true });
    }
  }
}
