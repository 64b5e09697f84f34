/**
 * Which tests a whole run leaves out: a test in turn keeps a promise that others keep too, or has another form of it, and runs with one landing of
 * a few. `TURN` chooses: a number, by default that of the landing; `all` leaves nothing out. What the change touches, what failed last
 * in this clone and what was unsteady always runs.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const git = (...args) => execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/** What `ask` tells of the history; `otherwise` where this is no clone, or has no history. */
function ofHistory(ask, otherwise) {
  try {
    return ask();
  } catch {
    return otherwise;
  }
}

/** The number of the landing: of the commits of the main branch, of which a merge is one. */
export const landing = () => ofHistory(() => Number(git('rev-list', '--count', '--first-parent', 'HEAD')), 0);

const hourMs = 3_600_000;
const hours = 4;

/** The commit before this landing, which may be many commits: those since `TEST_SINCE`, else those of the last hours. */
function before() {
  if (process.env.TEST_SINCE) return process.env.TEST_SINCE;
  const since = new Date(Date.parse(git('show', '-s', '--format=%cI', 'HEAD')) - hours * hourMs).toISOString();
  return git('rev-list', '-1', '--first-parent', `--before=${since}`, 'HEAD') || 'HEAD';
}

/** What this landing changes, and what is not committed. */
const touchedFiles = () => ofHistory(() => git('diff', '--name-only', before()).split('\n'), []);

const named = (folder, lists) => lists.map((names) => names.map((name) => `test/${folder}/${name}`));

/**
 * The files of a folder that take turns, in lists of about the same cost: landing number n runs list n modulo the number of lists. What is in no
 * list runs always. The parts of the cluster that run in turn are named in test/cluster/turn.ts, since they are no files.
 */
const lists = {
  e2e: named('e2e', [
    [
      'content-bounds',
      'git-export-pages',
      'imported-websites',
      'insights-export',
      'merge-conflicts',
      'content-conflicts',
    ],
    [
      'git-export-conflicts',
      'git-export-properties',
      'insights-segments',
      'insights-senders',
      'search-budget',
      'content-reverting',
    ],
    ['content-imports-refused', 'domains', 'git-export-records', 'git-export-refused', 'insights-times', 'merging'],
  ]),
  fault: named('fault', [
    ['import-attacks', 'import-kill', 'export-kill', 'hostile-pages', 'insights-hang', 'slow-imports'],
    ['backup-refused', 'insights-kill', 'insights-server', 'integration-attacks', 'limits', 'saml-flood', 'tracing'],
    ['analytics', 'crash', 'git-export', 'group-inserts', 'insights-aggregation', 'insights-table', 'slow-clients'],
  ]),
  upgrade: named('upgrade', [['rolling'], ['contract'], ['data']]),
  deploy: named('deploy', [['alerts', 'files', 'kubernetes'], [], []]),
  newcomer: named('newcomer', [['walk'], []]),
};

/** What a test guards: with a change of these files it runs out of its turn too, as with a change of its own file. */
const guarded = [
  [/^services\/content\/(git|exports|writing)\//, /e2e\/git-export/],
  [
    /^services\/content\/(merging|change-requests|writing|revisions)\//,
    /e2e\/(merg|content-conflicts|content-reverting)/,
  ],
  [/^services\/content\/(imports|conversion)\//, /e2e\/(content-imports|imported)/],
  [/^services\/content\/(search|writing|storage)\//, /e2e\/(search-budget|content-bounds)/],
  [/^services\/insights\/|^shared\/analytics\//, /e2e\/insights/],
  [/^services\/identity\/domains\//, /e2e\/domains/],
  [/^services\/content\/(imports|conversion|git)\//, /fault\/(import-|export-|slow-imports|git-export|hostile-pages)/],
  [/^services\/content\/(page-work|format)\//, /fault\/(import-attacks|hostile-pages)/],
  [/^(services\/insights|shared\/analytics)\//, /fault\/(insights-|analytics|group-inserts|crash)/],
  [/^services\/integrations\/(runtime|serving)\//, /fault\/integration-attacks/],
  [/^services\/identity\/saml\//, /fault\/saml-flood/],
  [/^services\/gateway\/http\//, /fault\/(limits|slow-clients)/],
  [/^services\/commands\//, /fault\/backup-refused/],
  [/^shared\/tracing\//, /fault\/tracing/],
  [/^test\/support\/insights\//, /fault\/insights-/],
  // Processes of two releases meet in contracts, events, documents and the bus.
  [/^services\/[^/]+\/(contract|events)(\.ts|\/)|^services\/.+\/(model|resources)\.ts$/, /upgrade\//],
  [/^shared\/(bus|contract|store|work|platform)(\/|\.)|^test\/(upgrade|cluster\/load)\//, /upgrade\//],
  [/^(deploy|k8s)\/|^docker-compose|^shared\/settings\/|^docs\/operations\//, /deploy\//],
  [
    /^README\.md$|^docs\/(tour|contributing\/)|^services\/(welcome|main)\.ts$|^services\/commands\/|^package\.json$/,
    /newcomer\//,
  ],
];

let touched;
const isTouched = (file) => {
  touched ??= touchedFiles();
  return (
    touched.some((each) => each.startsWith(`${file}.`)) ||
    guarded.some(([change, test]) => test.test(file) && touched.some((each) => change.test(each)))
  );
};

/** Files that failed once and then passed, alone; `UNSTEADY_LIST` names another list, for the test of it. */
export const unsteadyList = process.env.UNSTEADY_LIST ?? fileURLToPath(new URL('./unsteady.json', import.meta.url));

/** Files that failed in the last whole run of this clone: outside of the working tree, so that neither a clean install nor a checkout removes it. */
const failedList = () => git('rev-parse', '--git-path', 'bindery-failed-tests.json');

export const recordFailed = (files) => ofHistory(() => writeFileSync(failedList(), JSON.stringify(files)));

const failed = ofHistory(() => JSON.parse(readFileSync(failedList(), 'utf8')), []);

const unsteady = JSON.parse(readFileSync(unsteadyList, 'utf8')).map(({ file }) => file);

/** The files of a folder of tests that this run leaves out. */
export function leftOut(folder) {
  const { TURN = 'all' } = process.env;
  const all = lists[folder] ?? [];
  if (TURN === 'all') return [];
  const mine = Number(TURN) % all.length;
  return all
    .filter((_, at) => at !== mine)
    .flat()
    .filter((path) => ![...unsteady, ...failed].some((file) => file.startsWith(`${path}.`)) && !isTouched(path))
    .map((path) => `/${path}.`);
}

// `node test/turns.js <path>` tells by its exit code whether a step runs.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [path] = process.argv.slice(2);
  process.exitCode = leftOut(path.split('/')[1]).includes(`/${path}.`) ? 1 : 0;
}
