/**
 * Which tests a whole run leaves out: a test in turn keeps a promise that others keep too, or has another form of it, and runs with one landing of
 * a few. `TURN` chooses: a number, by default that of the landing; `all` leaves nothing out. What the change touches, what failed last
 * in this clone and what was unsteady always runs.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
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
const hours = 3;

/** The commit before this landing, which may be many commits: those since `TEST_SINCE`, else those of the last hours. */
function before() {
  if (process.env.TEST_SINCE) return process.env.TEST_SINCE;
  const since = new Date(Date.parse(git('show', '-s', '--format=%cI', 'HEAD')) - hours * hourMs).toISOString();
  return git('rev-list', '-1', '--first-parent', `--before=${since}`, 'HEAD') || 'HEAD';
}

/** What this landing changes, and what is not committed. */
const touchedFiles = () => ofHistory(() => git('diff', '--name-only', before()).split('\n'), []);

/** Names of files in a folder, in lists of about the same cost, as paths. */
const inFolder = (folder, ...lists) =>
  lists.map((names) => names.split(' ').flatMap((name) => (name ? [`${folder}/${name}`] : [])));

/**
 * The files of a project that take turns, in lists of about the same cost: landing number n runs list n modulo the number of lists. What is in no
 * list runs always. The parts of the cluster that run in turn are named in test/cluster, since they are no files.
 */
const lists = {
  // Random tests and time by length, with the folder they are in.
  unit: inFolder(
    'services',
    'content/format/texts/hostile-texts content/format/space/outline/outline-properties',
    'content/exchange/imports/import-limits content/format/texts/round-trip content/exchange/imports/import-tree',
    'gateway/api/messages content/format/space/summary-edits/summary-edits-random content/format/space/summary/summary',
    'content/format/document/survival content/core/access/tree/content-tree-cache',
    'content/format/space/settings/space-config content/writing/merging/merge-lists content/format/document/evaluate',
  ),
  processes: inFolder(
    'services',
    'integrations/runtime/limits',
    'content/exchange/git/fetch-hostile',
    'integrations/runtime/lifetime',
    '',
    '',
  ),
  e2e: inFolder(
    'test/e2e',
    'asking-limits bounds content-bounds content-moving gateway merging git-sync-troubles github-app',
    'browsers git-sync-sites git-export-refused insights-aggregation integration-programs links-across-spaces openapi-visitors saml-providers sites-refused git-sync-random',
    'content-conflicts content-imports-refused content-refused git-export-conflicts git-export-pages insights-senders insights-times installations-on-content token-origins fonts',
    'comment-bad-inputs content-permissions deadlines git-export-properties insights-bad-inputs installation-tokens installations-refused integration-origins merge-conflicts many-redirects',
    'comment-mails git-sync-shapes former-paths git-export-records installations integration-rendering openapi-refused organizations redirects saml-answers trusted-organizations',
    'change-request-links comment-reactions content-reverting imported-websites insights-export installation-callers installations-lists integration-endpoints integration-page-scripts site-previews',
    'change-request-previews domains imported-pages integration-cli integrations-list integrations-refused links renderers unsubscribing organization-exports organization-histories organization-imports organization-import-integrations organization-import-sites site-html',
  ),
  // The random requests are not in a turn of the longest tests of processes.
  contract: inFolder('test/contract', 'sign-on-token', '', '', 'fuzz', 'official-schema'),
  fault: inFolder(
    'test/fault',
    'import-attacks limits saml-flood',
    'integration-attacks tracing metrics git-sync-hosts git-sync-hangs',
    'start git-failure import-kill translation-kill',
    'insights-server insights-kill insights-table analytics',
    'hostile-pages backup-refused large-bodies git-sync-kill archive-kill',
    'crash slow-clients slow-imports storage',
    'git-export insights-hang backup insights-aggregation export-kill group-inserts',
  ),
  upgrade: inFolder('test/upgrade', 'rolling', 'contract', 'data'),
  deploy: inFolder('test/deploy', 'alerts files kubernetes', '', ''),
  newcomer: inFolder('test/newcomer', 'walk', ''),
  compose: inFolder('test/compose', 'walk', '', '', ''),
};

/** All files that take turns; a test asks whether they exist. */
export const inTurn = Object.values(lists).flat(2);

/** What a test guards: with a change of these files it runs out of its turn too, as with a change of its own file. */
export const guarded = [
  [/^services\/content\/(exchange\/(git|exports)|writing)\//, /e2e\/git-export/],
  [
    /^services\/content\/(writing|core\/(change-requests|revisions))\//,
    /e2e\/(merg|change-request|content-conflicts|content-reverting)/,
  ],
  [/^services\/content\/exchange\/(imports|conversion)\//, /e2e\/(content-imports|imported)/],
  [
    /^services\/content\/exchange\/(archive|exports)\//,
    /(e2e\/organization-(exports|histories|imports)|fault\/archive-kill)/,
  ],
  [/^services\/content\/(writing|core\/storage)\//, /e2e\/(content-bounds|bounds)/],
  [
    /^services\/content\/(reading|core\/(access|spaces))\//,
    /e2e\/(links|former-paths|redirects|content-(moving|perm))/,
  ],
  [/^services\/content\/openapi\//, /e2e\/openapi/],
  [/^services\/content\/core\/fonts\//, /e2e\/fonts/],
  [/^services\/content\/assistance\/|^shared\/model\//, /(e2e\/(asking|translating)|fault\/translation)/],
  [/^services\/comments\//, /e2e\/comment/],
  [/^services\/gateway\//, /e2e\/(gateway|deadlines|browsers|token-origins)/],
  [/^services\/identity\//, /e2e\/(domains|saml|organizations|token-origins|trusted|unsubscribing)/],
  [/^services\/insights\/|^shared\/analytics\//, /e2e\/insights/],
  [/^services\/integrations\//, /e2e\/(integration|installation)/],
  [/^services\/sites\//, /e2e\/(site|many-redirects|redirects|renderers|trusted|integration-(origins|page))/],
  [/^shared\/(contract|outbound)\//, /e2e\/(deadlines|bounds)/],
  // The tables of all operations.
  [/^services\/[^/]+\/contract(\.ts|\/)|^services\/.+\/resources\.ts$|^shared\/contract\//, /contract\//],
  [
    /^services\/content\/exchange\/(imports|conversion|git)\//,
    /fault\/(import-|export-|slow-imports|git-export|hostile-pages)/,
  ],
  [/^services\/content\/format\//, /fault\/(import-attacks|hostile-pages)/],
  [/^services\/content\/exchange\/(sync|git)\//, /(e2e|fault)\/git-sync/],
  [/^(services\/insights|shared\/analytics)\//, /fault\/(insights-|analytics|group-inserts|crash)/],
  [/^services\/integrations\/(runtime|serving)\//, /fault\/integration-attacks/],
  [/^services\/identity\/saml\//, /fault\/saml-flood/],
  [/^services\/gateway\/(http\/|api\/operation-call)/, /fault\/(limits|slow-clients|large-bodies)/],
  [/^services\/commands\//, /(fault\/backup|e2e\/organization-(histories|import))/],
  [/^services\/(main|start)\.ts$|^shared\/(settings|platform|store)(\/|\.)/, /fault\/(start|storage)/],
  [/^shared\/(tracing|monitoring)\//, /fault\/(tracing|metrics)/],
  [/^test\/support\/insights\//, /fault\/insights-/],
  // Processes of two releases meet in contracts, events, documents and the bus.
  [/^services\/[^/]+\/(contract|events)(\.ts|\/)|^services\/.+\/(model|resources)\.ts$/, /upgrade\//],
  [/^shared\/(bus|contract|store|work|platform)(\/|\.)|^test\/(upgrade|cluster\/load)\//, /upgrade\//],
  [/^(deploy|k8s)\/|^docker-compose|^shared\/settings\/|^docs\/operations\//, /deploy\//],
  [/^deploy\/|^docker-compose|^shared\/settings\/|^package(-lock)?\.json$|^docs\/operations\/docker/, /compose\//],
  [
    /^README\.md$|^docs\/(tour|contributing\/)|^services\/((main|start)\.ts$|identity\/first-start\/)|^services\/commands\/|^package\.json$/,
    /newcomer\//,
  ],
];

let touched;
const isTouched = (file) => {
  touched ??= touchedFiles();
  // Beside the code, a test is about its folder.
  const about = file.startsWith('services/') ? `${dirname(file)}/` : `${file}.`;
  return (
    touched.some((each) => each.startsWith(about)) ||
    guarded.some(([change, test]) => test.test(file) && touched.some((each) => change.test(each)))
  );
};

/** Files that failed once and then passed, alone; `UNSTEADY_LIST` names another list, for the test of it. */
export const unsteadyList = process.env.UNSTEADY_LIST ?? fileURLToPath(new URL('./unsteady.json', import.meta.url));

/** Files that failed when they last ran whole in this clone: outside of the working tree, so that neither a clean install nor a checkout removes it. */
const failedList = () => git('rev-parse', '--git-path', 'bindery-failed-tests.json');

const failedBefore = () => ofHistory(() => JSON.parse(readFileSync(failedList(), 'utf8')), []);

/** Files that did not run stay what they were: a gate has many runs, and some beside each other. */
export const recordFailed = (ran, files) =>
  ofHistory(() =>
    writeFileSync(failedList(), JSON.stringify([...failedBefore().filter((file) => !ran.includes(file)), ...files])),
  );

const failed = failedBefore();

const unsteady = JSON.parse(readFileSync(unsteadyList, 'utf8')).map(({ file }) => file);

/** The files of a project that this run leaves out. */
export function leftOut(project) {
  const { TURN = 'all' } = process.env;
  const all = lists[project] ?? [];
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
  const path = process.argv[2].replace(/\.test\.ts$/, '');
  process.exitCode = leftOut(path.split('/')[1]).includes(`/${path}.`) ? 1 : 0;
}
