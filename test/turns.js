/**
 * Which tests a whole run leaves out: a test in turn keeps a promise that others keep too, or has another form of it, and runs with one landing of
 * a few. `TURN` chooses: a number, by default that of the landing; `all` leaves nothing out. What the change touches and what was unsteady
 * always runs.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
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

/** By project: the files that take turns, in groups of about the same cost. */
const groups = {
  e2e: [
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
  ].map((names) => names.map((name) => `test/e2e/${name}.test.ts`)),
};

/** Tests of which files run when a change touches which others, although it is not their turn. */
const about = [
  [/^services\/content\/(git|exports|writing)\//, /e2e\/git-export/],
  [
    /^services\/content\/(merging|change-requests|writing|revisions)\//,
    /e2e\/(merg|content-conflicts|content-reverting)/,
  ],
  [/^services\/content\/(imports|conversion)\//, /e2e\/(content-imports|imported)/],
  [/^services\/content\/(search|writing|storage)\//, /e2e\/(search-budget|content-bounds)/],
  [/^services\/insights\/|^shared\/analytics\//, /e2e\/insights/],
  [/^services\/identity\/domains\//, /e2e\/domains/],
];

let touched;
const isTouched = (file) => {
  touched ??= touchedFiles();
  return (
    touched.includes(file) ||
    about.some(([change, test]) => test.test(file) && touched.some((each) => change.test(each)))
  );
};

/** Files that failed once and then passed, alone; `UNSTEADY_LIST` names another list, for the test of it. */
export const unsteadyList = process.env.UNSTEADY_LIST ?? fileURLToPath(new URL('./unsteady.json', import.meta.url));

const unsteady = JSON.parse(readFileSync(unsteadyList, 'utf8')).map(({ file }) => file);

/** The files of a project that this run leaves out. */
export function leftOut(project) {
  const { TURN = 'all' } = process.env;
  const all = groups[project] ?? [];
  if (TURN === 'all') return [];
  const mine = Number(TURN) % all.length;
  return all.flatMap((files, at) =>
    at === mine ? [] : files.filter((file) => !unsteady.includes(file) && !isTouched(file)),
  );
}
