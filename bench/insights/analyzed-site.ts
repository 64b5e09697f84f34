import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventsTable } from '../../services/insights/events/model.js';
import { type Running, start } from '../processes.js';
import { type Call, caller, token } from '../product.js';
import { openData } from './engine.js';
import { generateEvents } from './generator.js';

/** A product with a published site, which can be stopped while its data folder is filled. */
export interface AnalyzedSite {
  organization: string;
  site: string;
  /** The address of the site, with a slash at its end. */
  address: string;
  /** The path of its events in the API. */
  events: string;
  /** The data of the product, in a folder of the measurement. */
  dataDir: string;
  folder: string;
  start(): Promise<Running>;
}

/** Publishes a site with a space. */
export async function newSite(call: Call): Promise<Pick<AnalyzedSite, 'organization' | 'site' | 'address'>> {
  const made = (path: string, title: string) => call<{ id: string }>('POST', path, { title });
  const { id: organization } = await made('/orgs', 'Bench');
  const { id: space } = await made(`/orgs/${organization}/spaces`, 'Space');
  const sites = `/orgs/${organization}/sites`;
  const { id: site } = await call<{ id: string }>('POST', sites, { title: 'Bench', spaces: [space] });
  const { urls } = await call<{ urls: { published: string } }>('POST', `${sites}/${site}/publish`);
  return { organization, site, address: urls.published };
}

/** Makes a site in a product, which is stopped then; ends with the removal of what was stored. */
export async function withSite(work: (site: AnalyzedSite) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bindery-bench-'));
  const dataDir = join(folder, 'product');
  const startProduct = () =>
    start('services/main.js', {
      BOOTSTRAP_TOKEN: token,
      RATE_LIMIT_PER_MINUTE: '0',
      EVENTS_PER_MINUTE: '0',
      DATA_DIR: dataDir,
    });
  try {
    const product = await startProduct();
    const made = await newSite(caller(product));
    await product.stop();
    const events = `/orgs/${made.organization}/sites/${made.site}/insights/events`;
    await work({ ...made, events, dataDir, folder, start: startProduct });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Fills the data of a stopped product with events; one of so many is of the site. */
export async function fill(
  { dataDir, organization, site }: AnalyzedSite,
  events: number,
  oneIn: number,
): Promise<void> {
  const began = performance.now();
  const { client, close } = await openData(dataDir);
  try {
    await generateEvents(client, { table: eventsTable, events, organization, site, oneIn }, Date.now());
  } finally {
    await close();
  }
  process.stdout.write(`${events} events generated in ${((performance.now() - began) / 1000).toFixed(0)} s\n`);
}
