import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { serveRepositories } from '../services/content/exchange/git/serve.js';
import { median } from './median.js';
import { type Call, type Product, withProduct } from './product.js';

/**
 * Imports of repositories (arguments: paths of bundles or clones, `path#folder` for a space in a folder) through the API: pages a second, against cloning each
 * and reading its files, and searches against the full-text engine's own.
 */
const run = promisify(execFile);
const rounds = 3;

interface Source {
  url: string;
  /** Folder of the repository that holds the space. */
  directory?: string | undefined;
}

interface PageSummary {
  id: string;
  title: string;
  type: string;
  pages?: PageSummary[];
}

const flat = (pages: PageSummary[]): PageSummary[] => pages.flatMap((page) => [page, ...flat(page.pages ?? [])]);

async function timed<T>(act: () => Promise<T>): Promise<{ seconds: number; value: T }> {
  const began = performance.now();
  const value = await act();
  return { seconds: (performance.now() - began) / 1000, value };
}

async function cloneAndRead(url: string, folder: string): Promise<void> {
  await run('git', ['clone', '--quiet', '--depth', '1', url, folder]);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile() && !entry.parentPath.includes('.git/')) await readFile(join(entry.parentPath, entry.name));
  await rm(folder, { recursive: true });
}

interface GitInfo {
  operation: { state: string; error?: string; problems?: unknown[] };
}

interface Found {
  count: number;
  items: { title: string }[];
}

async function importOnce(
  call: Call,
  organization: string,
  { url, directory }: Source,
): Promise<{ space: string; problems: number }> {
  const { id: space } = await call<{ id: string }>('POST', `/orgs/${organization}/spaces`, { title: basename(url) });
  await call('POST', `/spaces/${space}/git/import`, {
    url,
    ref: 'refs/heads/main',
    ...(directory ? { repoProjectDirectory: directory } : {}),
  });
  for (;;) {
    const { operation } = await call<GitInfo>('GET', `/spaces/${space}/git/info`);
    if (operation.state === 'success') return { space, problems: operation.problems?.length ?? 0 };
    if (operation.error) throw new Error(operation.error);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function measure(call: Call, organization: string, source: Source, folder: string): Promise<number> {
  const clones: number[] = [];
  const imports: number[] = [];
  let last = { space: '', problems: 0 };
  for (let round = 0; round < rounds; round++) {
    clones.push((await timed(() => cloneAndRead(source.url, join(folder, 'clone')))).seconds);
    const { seconds, value } = await timed(() => importOnce(call, organization, source));
    imports.push(seconds);
    last = value;
  }
  const documents = flat(
    (await call<{ pages: PageSummary[] }>('GET', `/spaces/${last.space}/content/pages`)).pages,
  ).filter(({ type }) => type === 'document');
  const rate = documents.length / median(imports);
  const ratio = median(imports) / median(clones);
  process.stdout.write(
    `${basename(source.url).padEnd(26)} ${documents.length} pages, ${last.problems} problems, ${median(imports).toFixed(2)} s, ${Math.round(rate)} pages/s, ${ratio.toFixed(1)}x clone and read\n`,
  );
  await measureSearch(call, last.space, documents);
  return rate;
}

/** A tenth of the titles: the page itself must come first. */
async function measureSearch(call: Call, space: string, pages: PageSummary[]): Promise<void> {
  const titles = pages
    .map(({ title }) => title)
    .filter((title, index, all) => all.indexOf(title) === index && all.lastIndexOf(title) === index);
  const asked = titles.filter((_, index) => index % Math.max(1, Math.floor(titles.length / 50)) === 0);
  const times: number[] = [];
  let first = 0;
  for (const title of asked) {
    const { seconds, value } = await timed(() =>
      call<Found>('GET', `/spaces/${space}/search?limit=10&query=${encodeURIComponent(title.slice(0, 200))}`),
    );
    times.push(seconds * 1000);
    if (value.items[0]?.title === title) first++;
    else process.stdout.write(`${''.padEnd(28)}"${title}" finds "${value.items[0]?.title}" first of ${value.count}\n`);
  }
  process.stdout.write(
    `${''.padEnd(26)} search by title: ${first} of ${asked.length} first, median ${median(times).toFixed(1)} ms\n`,
  );
}

async function measureAll({ call, folder, memory }: Product, given: string[]): Promise<void> {
  const served = join(folder, 'served');
  await mkdir(served);
  const sources = given.map((text) => {
    const [path = '', directory] = text.split('#');
    return { path, directory, name: `${basename(path).replace(/\.\w+$/, '')}.git` };
  });
  for (const { path, name } of sources) await run('git', ['clone', '--quiet', '--bare', path, join(served, name)]);
  const repositories = await serveRepositories({ root: served });
  try {
    const { id: organization } = await call<{ id: string }>('POST', '/orgs', { title: 'Imports' });
    for (const { name, directory } of sources)
      await measure(call, organization, { url: `${repositories.url}/${name}`, directory }, folder);
    process.stdout.write(`memory afterwards ${Math.round(memory())} MiB\n`);
  } finally {
    await repositories.close();
  }
}

await withProduct((product) => measureAll(product, process.argv.slice(2)));
