/**
 * The test files of a project that run in turn: landing number n runs those of list n modulo the number of lists. What is in no list runs
 * always. The parts of the cluster that run in turn are named in test/cluster/turn.ts, since they are no files.
 */
export const inTurn = {
  fault: [
    ['import-attacks', 'import-kill', 'export-kill', 'hostile-pages', 'insights-hang', 'slow-imports'],
    ['backup-refused', 'insights-kill', 'insights-server', 'integration-attacks', 'limits', 'saml-flood', 'tracing'],
    ['analytics', 'crash', 'git-export', 'group-inserts', 'insights-aggregation', 'insights-table', 'slow-clients'],
  ].map((names) => names.map((name) => `test/fault/${name}.test.ts`)),
  upgrade: [['test/upgrade/rolling.test.ts'], [], []],
};

/** What a test guards: with a change of these files it runs out of its turn too, as with a change of its own file. */
export const guarded = [
  [/^services\/content\/(imports|conversion|git)\//, /fault\/(import-|export-|slow-imports|git-export|hostile-pages)/],
  [/^services\/content\/(page-work|format)\//, /fault\/(import-attacks|hostile-pages)/],
  [/^(services\/insights|shared\/analytics)\//, /fault\/(insights-|analytics|group-inserts|crash)/],
  [/^services\/integrations\/(runtime|serving)\//, /fault\/integration-attacks/],
  [/^services\/identity\/saml\//, /fault\/saml-flood/],
  [/^services\/gateway\/http\//, /fault\/(limits|slow-clients)/],
  [/^services\/commands\//, /fault\/backup-refused/],
  [/^shared\/tracing\//, /fault\/tracing/],
  // Processes of two releases meet in contracts, events, documents and the bus.
  [/^services\/[^/]+\/(contract|events)(\.ts|\/)|^services\/.+\/(model|resources)\.ts$/, /upgrade\/rolling/],
  [/^shared\/(bus|contract|store|work|platform)(\/|\.)|^test\/(upgrade|cluster\/load)\//, /upgrade\/rolling/],
  [/^test\/support\/insights\//, /fault\/insights-/],
];

/** The files of a project that a landing leaves out. Without a turn: none. `touched`: the files that it changes, where they are known. */
export function leftOut(project, turn, touched = []) {
  const lists = inTurn[project];
  if (turn === undefined || !lists) return [];
  const isTouched = (file) =>
    touched.includes(file) ||
    guarded.some(([area, tests]) => tests.test(file) && touched.some((each) => area.test(each)));
  return lists
    .filter((_, at) => at !== turn % lists.length)
    .flat()
    .filter((file) => !isTouched(file));
}
