import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { packageFile } from '../../shared/process/package-root.js';
import { stopwatch } from '../../shared/testing/stopwatch.js';
import { endWithThis } from './children.js';
import type { Cluster } from './cluster.js';
import type { Report } from './report.js';
import { inTurn } from './turn.js';

/** Idle processes outlive every timeout, and have nothing to complain of. */
export async function stayIdle({ nodes }: Cluster, report: Report): Promise<void> {
  const seconds = Number(process.env.TEST_LIVE_SECONDS ?? 65);
  await delay(seconds * 1000);
  const complaining = nodes.filter((node) => /"level":"(warn|error|fatal)"/.test(node.output()));
  for (const node of complaining) console.error(`${node.name} complains while idle:\n${node.output()}`);
  const dead = nodes.filter((node) => !node.isRunning());
  report.promise('idle', `${seconds} s without a warning or an end`, complaining.length + dead.length === 0);
}

const folder = 'test/e2e';
/** Many inputs of one service say nothing of a cluster, and take minutes of all its processors: refusals, bounds, what Git merges. */
const ofOneProcess = /^git-export-|(bad-inputs|bounds|budget|refused|safety)\./;
/** What goes through several services, and their events, in pairs of which one runs in turn. Of all others every eighteenth file does. */
const acrossServices = [
  ['audit', 'effective-permissions'],
  ['comments', 'publishing'],
  ['content-imports', 'domains'],
  ['content-tokens', 'script-events'],
  ['webhooks', 'git-import'],
  ['organization-search', 'insights-tracking'],
].map((names) => names.map((name) => `${name}.test.ts`));
const turns = 18;

async function chosenFiles(): Promise<string[]> {
  const { CLUSTER_TESTS } = process.env;
  if (CLUSTER_TESTS) return CLUSTER_TESTS.split(' ');
  const all = (await readdir(packageFile(folder))).filter((name) => name.endsWith('.test.ts')).sort();
  const named = acrossServices.flat();
  const gone = named.filter((name) => !all.includes(name));
  if (gone.length > 0) throw new Error(`${folder} lacks ${gone}`);
  const others = all.filter((name) => !named.includes(name) && !ofOneProcess.test(name));
  return [...acrossServices.flatMap((pair) => inTurn(pair)), ...inTurn(others, turns)].map(
    (name) => `${folder}/${name}`,
  );
}

/** Runs the end-to-end tests against the gateways of the cluster. */
export async function endToEnd(cluster: Cluster, token: string, report: Report): Promise<void> {
  const urls = cluster.gateways.map(({ url }) => url);
  const jest = packageFile('node_modules/jest/bin/jest.js');
  const files = await chosenFiles();
  // Several at a time make a request take three times as long, and end hardly sooner.
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', jest, '--maxWorkers=1'];
  const took = stopwatch();
  const child = spawn(process.execPath, [...flags, '--runTestsByPath', ...files], {
    cwd: packageFile('.'),
    env: {
      ...process.env,
      // These are the files of the turn.
      TURN: 'all',
      BINDERY_TEST_GATEWAYS: urls.join(','),
      BINDERY_TEST_URL: urls[0],
      BINDERY_TEST_TOKEN: token,
      BINDERY_TEST_STORE: JSON.stringify(cluster.documents),
    },
    stdio: 'inherit',
  });
  const [code] = (await once(endWithThis(child), 'exit')) as [number | null];
  report.promise('end-to-end tests', `all of ${files.length} files pass`, code === 0);
  report.note('end-to-end tests', `${Math.round(took() / 1000)} s`);
  const dead = cluster.nodes.filter((node) => !node.isRunning()).map(({ name }) => name);
  report.promise('end-to-end tests', `no process ended${dead.length > 0 ? `: ${dead}` : ''}`, dead.length === 0);
}
