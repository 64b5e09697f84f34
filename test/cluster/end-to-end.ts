import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { packageFile } from '../../shared/package-root.js';
import type { Cluster } from './cluster.js';
import type { Report } from './report.js';

/** Idle processes outlive every timeout, and have nothing to complain of. */
export async function stayIdle({ nodes }: Cluster, report: Report): Promise<void> {
  const seconds = Number(process.env.TEST_LIVE_SECONDS ?? 0);
  if (seconds === 0) return;
  await delay(seconds * 1000);
  const complaining = nodes.filter((node) => /"level":"(warn|error|fatal)"/.test(node.output()));
  for (const node of complaining) console.error(`${node.name} complains while idle:\n${node.output()}`);
  const dead = nodes.filter((node) => !node.isRunning());
  report.promise('idle', `${seconds} s without a warning or an end`, complaining.length + dead.length === 0);
}

/** Many inputs of one service say nothing of a cluster, and take minutes of all its processors: refusals, bounds, what Git merges. */
const ofOneProcess = 'test/e2e/(git-export-|.*(bad-inputs|bounds|budget|refused|safety)\\.)';
/** Milliseconds that a test may take, where all processes share two processors. */
const longestTest = 240_000;

/** Runs the end-to-end tests against the gateways of the cluster. */
export async function endToEnd(cluster: Cluster, token: string, report: Report): Promise<void> {
  const urls = cluster.gateways.map(({ url }) => url);
  const chosen = (process.env.CLUSTER_TESTS ?? 'test/e2e').split(' ');
  const jest = packageFile('node_modules/jest/bin/jest.js');
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', jest, ...chosen];
  const { CLUSTER_SHARD } = process.env;
  if (CLUSTER_SHARD) flags.push(`--shard=${CLUSTER_SHARD}`);
  // Several at a time make a request take three times as long, and end hardly sooner.
  flags.push('--maxWorkers=1', `--testTimeout=${longestTest}`, '--testPathIgnorePatterns', ofOneProcess);
  const began = performance.now();
  const child = spawn(process.execPath, flags, {
    cwd: packageFile('.'),
    env: {
      ...process.env,
      BINDERY_TEST_GATEWAYS: urls.join(','),
      BINDERY_TEST_URL: urls[0],
      BINDERY_TEST_TOKEN: token,
      BINDERY_TEST_STORE: JSON.stringify(cluster.documents),
    },
    stdio: 'inherit',
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  report.promise('end-to-end tests', 'all pass', code === 0);
  report.note('end-to-end tests', `${Math.round((performance.now() - began) / 1000)} s`);
  const dead = cluster.nodes.filter((node) => !node.isRunning()).map(({ name }) => name);
  report.promise('end-to-end tests', `no process ended${dead.length > 0 ? `: ${dead}` : ''}`, dead.length === 0);
}
