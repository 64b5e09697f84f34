/**
 * Runs tests: `node test/run.js --projects=unit,e2e [path or option of jest …]`.
 *
 * Without a path or another choice of tests it is a whole run: what is in turn runs by `TURN` (see test/turns.js), and files that fail run once
 * more, alone. One that passes then is unsteady: it is printed, written into test/unsteady.json and does not fail the run. Whatever ends a run,
 * its servers, workers and folders go with it: a process of its own waits for the end of this one and removes them.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { landing, recordFailed, unsteadyList } from './turns.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** More files than that fail by a fault. */
const mostUnsteady = 5;
const graceMs = 15_000;

const [projects, ...rest] = process.argv.slice(2);
if (!projects?.startsWith('--projects='))
  throw new Error('node test/run.js --projects=<name>,… [path or option of jest …]');
/** A path, or an option by which jest chooses tests; a shard is a part of a whole run. */
const choice = /^(?!-)|^-[tof]\b|^--(testNamePattern|testPathPattern|only|changed|findRelated|runTestsByPath)/;
const isWhole = !rest.some((argument) => choice.test(argument));

const folder = mkdtempSync(join(tmpdir(), 'bt-'));
const sweeper = spawn(process.execPath, [join(root, 'test/sweep.js'), folder], {
  detached: true,
  stdio: ['pipe', 'ignore', 'inherit'],
});

/** Lists what would run, in the words of jest. */
const lists = rest.includes('--listTests');

/** What the tests and all that they start find in their environment; the sweeper finds them by it. */
const environment = {
  ...process.env,
  TMPDIR: folder,
  BINDERY_TEST_RUN: folder,
  TURN: process.env.TURN ?? (isWhole ? String(landing()) : 'all'),
};

let running;
let stoppedBy;
for (const [signal, number] of Object.entries({ SIGINT: 2, SIGTERM: 15, SIGHUP: 1 }))
  process.on(signal, () => {
    stoppedBy ??= number;
    running?.kill('SIGTERM');
    setTimeout(() => running?.kill('SIGKILL'), graceMs).unref();
  });

/** Runs jest; what it found, by file. */
async function jest(...options) {
  const results = join(folder, 'results.json');
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const own = [
    '--selectProjects',
    ...projects.slice('--projects='.length).split(','),
    ...(lists ? [] : ['--json', '--outputFile', results]),
  ];
  // A process group of its own: a terminal interrupts this program alone, which stops jest.
  running = spawn(process.execPath, [...flags, join(root, 'node_modules/jest/bin/jest.js'), ...own, ...options], {
    cwd: root,
    env: environment,
    detached: true,
    // The summary goes to standard error; standard output would be the same results once more.
    stdio: ['ignore', lists ? 'inherit' : 'ignore', 'inherit'],
  });
  const { pid } = running;
  const [code] = await once(running, 'exit');
  running = undefined;
  killGroup(pid);
  if (stoppedBy !== undefined) await end(128 + stoppedBy);
  if (lists) return end(code);
  try {
    const found = JSON.parse(readFileSync(results, 'utf8'));
    if (found.testResults) return { code, ...found };
  } catch {
    // Told below.
  }
  // It could not begin, and has said why.
  return end(code || 1);
}

/** What jest left, where the sweeper sees no processes because the system has no /proc. */
function killGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing is left.
  }
}

const fileOf = ({ name }) => relative(root, name);
const failedTests = ({ assertionResults }) =>
  assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);

/** Writes down what failed and then passed; a name stays until its cause is mended. */
function recordUnsteady(files) {
  const known = JSON.parse(readFileSync(unsteadyList, 'utf8'));
  const seen = new Date().toISOString().slice(0, 10);
  for (const file of files) {
    console.error(`UNSTEADY: ${fileOf(file)}`);
    known.push({ file: fileOf(file), tests: failedTests(file), seen });
  }
  writeFileSync(unsteadyList, `${JSON.stringify(known, null, 2)}\n`);
}

async function end(code) {
  const swept = once(sweeper, 'exit');
  sweeper.stdin.end();
  await swept;
  process.exit(code);
}

const first = await jest(...rest);
const failed = first.testResults.filter(({ status }) => status === 'failed');
let { code } = first;
if (code !== 0 && isWhole && failed.length > 0 && failed.length <= mostUnsteady) {
  console.error(`\nOnce more, alone: ${failed.map(fileOf).join(' ')}`);
  ({ code } = await jest('--runInBand', '--runTestsByPath', ...failed.map(({ name }) => name)));
  if (code === 0) recordUnsteady(failed);
}
if (isWhole && !process.env.UNSTEADY_LIST)
  recordFailed(first.testResults.map(fileOf), code === 0 ? [] : failed.map(fileOf));
const skipped = first.numPendingTests + first.numTodoTests;
// A file that cannot be loaded fails without a test that failed.
const [passed, stillFailed] =
  code === 0 ? [first.numTotalTests - skipped, 0] : [first.numPassedTests, Math.max(1, first.numFailedTests)];
console.log(`${passed} passed, ${stillFailed} failed, ${skipped} skipped`);
await end(first.numTotalTests === skipped && isWhole ? 1 : code);
