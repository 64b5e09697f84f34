import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs, promisify } from 'node:util';
import { Presets, SingleBar } from 'cli-progress';
import { freePort } from '../../shared/process/free-port.js';
import { packageFile } from '../../shared/process/package-root.js';
import { loadEnvFile } from '../../shared/settings/env-file.js';
import { serveRepositories } from '../content/exchange/git/serve.js';
import { type Api, showVisits } from './demo-visits.js';

const usage = `Usage: npm run demo -- [--repo <git url or path>] [--ref <branch>] [--directory <folder>] [--query <words>]
                       [--url <running Bindery> --token <token>]

Imports a repository, lists its pages, reads one, searches, and counts made-up visits, all through the public API. Without --url it starts its own
Bindery on temporary data; without --repo it imports Bindery's handbook.
`;

const run = promisify(execFile);

interface Source {
  url: string;
  ref: string;
  directory?: string | undefined;
  close(): Promise<void>;
}

interface Target {
  url: string;
  token: string;
  close(): Promise<void>;
}

interface PageSummary {
  id: string;
  title: string;
  type: string;
  path?: string;
  pages?: PageSummary[];
}

const printText = (text = '') => void process.stdout.write(`${text}\n`);
const runGit = (...args: string[]) =>
  run('git', ['-c', 'user.name=Demo', '-c', 'user.email=demo@example.com', ...args]);

/** Makes a repository of the handbook, because an installation may not be a clone. */
async function handbookRepository(folder: string): Promise<string> {
  const work = join(folder, 'handbook');
  await cp(packageFile('docs'), work, { recursive: true });
  await runGit('init', '--quiet', '--initial-branch=main', work);
  await runGit('-C', work, 'add', '--all');
  await runGit('-C', work, 'commit', '--quiet', '--message', 'The handbook');
  return work;
}

/** Serves a local repository over loopback: Bindery imports only from http(s). */
async function serveLocal(
  path: string,
  folder: string,
): Promise<{ url: string; branch: string; close(): Promise<void> }> {
  const root = join(folder, 'served');
  await mkdir(root);
  await runGit('clone', '--quiet', '--bare', path, join(root, 'repository.git'));
  const { stdout } = await runGit('-C', join(root, 'repository.git'), 'symbolic-ref', '--short', 'HEAD');
  const server = await serveRepositories({ root });
  return { url: `${server.url}/repository.git`, branch: stdout.trim(), close: () => server.close() };
}

async function openSource(
  repo: string | undefined,
  ref: string | undefined,
  directory: string | undefined,
  folder: string,
): Promise<Source> {
  if (repo?.includes('://')) {
    return { url: repo, ref: `refs/heads/${ref ?? 'main'}`, directory, close: async () => {} };
  }
  if (repo !== undefined && !existsSync(repo)) throw new Error(`--repo: ${repo} does not exist`);
  const served = await serveLocal(repo === undefined ? await handbookRepository(folder) : resolve(repo), folder);
  return { url: served.url, ref: `refs/heads/${ref ?? served.branch}`, directory, close: served.close };
}

async function startBindery(folder: string): Promise<Target> {
  const token = randomBytes(24).toString('hex');
  const port = await freePort();
  // Only its own stores, whatever the environment of another server sets.
  const env = {
    ...process.env,
    ...{ HOST: '', BASE_URL: '', SERVICES: '', NATS_URL: '', MONGODB_URL: '', CLICKHOUSE_URL: '', SECRET_KEY: '' },
    PORT: String(port),
    DATA_DIR: join(folder, 'data'),
    BOOTSTRAP_TOKEN: token,
    OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
  };
  const child = spawn(process.execPath, [packageFile('dist/services/main.js')], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise<void>((started, failed) => {
    createInterface({ input: child.stdout }).on('line', (line) => line.includes('"msg":"started"') && started());
    child.once('exit', (code) => failed(new Error(`Bindery did not start (exit ${code})`)));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    token,
    async close() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** Calls the API as any client program would. */
function apiClient({ url, token }: Target): Api {
  return async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${url}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  };
}

interface Operation {
  state: string;
  queued?: true;
  error?: string;
}

/** Waits for the end of the import, with a progress bar on a terminal. */
async function awaitImport(api: Api, space: string): Promise<void> {
  const began = performance.now();
  const bar = new SingleBar(
    { format: '  importing {bar} {state} {duration_formatted}', noTTYOutput: false },
    Presets.shades_classic,
  );
  const states = ['queued', 'running', 'success'];
  bar.start(states.length - 1, 0, { state: 'queued' });
  for (;;) {
    const { operation } = await api<{ operation: Operation }>('GET', `/spaces/${space}/git/info`);
    const state = operation.queued ? 'queued' : operation.state;
    bar.update(Math.max(0, states.indexOf(state)), { state });
    if (operation.state === 'success' || operation.state === 'failure') {
      bar.stop();
      if (operation.error) throw new Error(`the import failed: ${operation.error}`);
      return printText(`Imported in ${((performance.now() - began) / 1000).toFixed(1)} s`);
    }
    await new Promise((resolved) => setTimeout(resolved, 100));
  }
}

function* flattenPages(pages: PageSummary[], depth = 0): Generator<{ page: PageSummary; depth: number }> {
  for (const page of pages) {
    yield { page, depth };
    yield* flattenPages(page.pages ?? [], depth + 1);
  }
}

function showTree(pages: PageSummary[]): PageSummary[] {
  const all = [...flattenPages(pages)];
  printText(`\n${all.length} pages:\n`);
  for (const { page, depth } of all.slice(0, 30))
    printText(`  ${'  '.repeat(depth)}${page.title}${page.path ? `  (${page.path})` : ''}`);
  if (all.length > 30) printText(`  … and ${all.length - 30} more`);
  return all.map(({ page }) => page);
}

async function showPage(api: Api, space: string, page: PageSummary): Promise<void> {
  const { markdown = '' } = await api<{ markdown?: string }>(
    'GET',
    `/spaces/${space}/content/page/${page.id}?format=markdown`,
  );
  const lines = markdown.split('\n');
  printText(`\nThe page "${page.title}" as markdown:\n`);
  for (const line of lines.slice(0, 15)) printText(`  | ${line}`);
  if (lines.length > 15) printText(`  | … ${lines.length - 15} more lines`);
}

interface Hit {
  title: string;
  path: string;
  sections?: { title: string; body: string }[];
}

async function showSearch(api: Api, space: string, query: string): Promise<void> {
  const started = performance.now();
  const { count, items } = await api<{ count: number; items: Hit[] }>(
    'GET',
    `/spaces/${space}/search?limit=5&query=${encodeURIComponent(query)}`,
  );
  printText(`\nA search for "${query}" finds ${count} pages in ${Math.round(performance.now() - started)} ms:\n`);
  for (const { title, path, sections = [] } of items) {
    printText(`  ${title}  (${path})`);
    for (const section of sections.slice(0, 2))
      printText(`      ${section.title}: ${section.body.replace(/\s+/g, ' ').slice(0, 90)}`);
  }
}

async function showTour(target: Target, source: Source, query: string | undefined): Promise<void> {
  const api = apiClient(target);
  const { items } = await api<{ items: { id: string; title: string }[] }>('GET', '/orgs');
  const organization = items[0];
  if (!organization) throw new Error('the owner of the token has no organization');
  const space = await api<{ id: string; urls: { location: string } }>('POST', `/orgs/${organization.id}/spaces`, {
    title: 'Demo',
  });
  printText(`Bindery ${target.url}, organization "${organization.title}", new space ${space.id}`);
  const { url, ref, directory } = source;
  await api('POST', `/spaces/${space.id}/git/import`, {
    url,
    ref,
    ...(directory ? { repoProjectDirectory: directory } : {}),
  });
  await awaitImport(api, space.id);
  const { pages } = await api<{ pages: PageSummary[] }>('GET', `/spaces/${space.id}/content/pages`);
  const all = showTree(pages);
  const shown = all.find(({ type }) => type === 'document');
  if (!shown) return;
  await showPage(api, space.id, shown);
  await showSearch(api, space.id, query ?? shown.title.split(/\s+/)[0] ?? shown.title);
  const documents = all.filter(({ type }) => type === 'document');
  await showVisits(api, { organization: organization.id, space: space.id, pages: documents }, printText);
}

async function main(): Promise<void> {
  loadEnvFile();
  const { values } = parseArgs({
    options: {
      repo: { type: 'string' },
      ref: { type: 'string' },
      directory: { type: 'string' },
      query: { type: 'string' },
      url: { type: 'string' },
      token: { type: 'string', default: process.env.BINDERY_TOKEN ?? '' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return void printText(usage);
  if (values.url && !values.token) throw new Error('--url needs --token (or BINDERY_TOKEN)');
  const folder = await mkdtemp(join(tmpdir(), 'bindery-demo-'));
  const stopped = new Promise<never>((_, reject) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      process.once(signal, () => reject(new Error(`ended by ${signal}`)));
  });
  // The signal may come before anything waits for it.
  stopped.catch(() => undefined);
  const source = await openSource(values.repo, values.ref, values.directory, folder);
  const target = values.url
    ? { url: values.url.replace(/\/+$/, ''), token: values.token, close: async () => {} }
    : await startBindery(folder);
  try {
    await Promise.race([showTour(target, source, values.query), stopped]);
  } finally {
    await target.close();
    await source.close();
    await rm(folder, { recursive: true, force: true });
  }
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
