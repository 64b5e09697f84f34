import { leftOut } from './test/turns.js';

// Deadlines of the product are ten times as long in tests, so that a busy machine is no fault; the tests of deadlines set theirs short.
process.env.TIME_SCALE ??= '10';

const common = {
  // The folder of a run is removed with it.
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/data/'],
  testEnvironment: '<rootDir>/test/support/environment.ts',
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'es6' } },
    ],
    '^.+\\.tsx$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', tsx: true },
          target: 'es2022',
          transform: { react: { runtime: 'automatic', importSource: 'preact' } },
        },
        module: { type: 'es6' },
      },
    ],
  },
};

/** Beside the code, but with processes of their own: git, mail, HTTP, scripts, or one that is killed. */
const withProcesses = [
  '/content/exchange/git/branch',
  '/content/exchange/git/fetch',
  '/content/exchange/git/tree/history',
  '/identity/sign-in/',
  '/integrations/runtime/',
  '/sqlite-durability',
  '/shared/outbound/mail',
  '/shared/workers/children',
];

/** Without a context for each file; see there. */
const plain = {
  runtime: '<rootDir>/test/support/plain/runtime.js',
  testEnvironment: '<rootDir>/test/support/plain/environment.ts',
};

/** On the server that the global setup starts. */
const onServer = {
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
};

const beside = ['<rootDir>/{services,shared}/**/*.test.ts'];
const inFolder = (name) => [`<rootDir>/test/${name}/**/*.test.ts`];
const project = (displayName, testMatch, { testPathIgnorePatterns = [], ...more } = {}) => ({
  ...common,
  displayName,
  testMatch,
  testPathIgnorePatterns: ['/node_modules/', ...testPathIgnorePatterns, ...leftOut(displayName)],
  ...more,
});

/** Each kind of test is a project; see docs/contributing/where-a-test-goes.md. */
export default {
  // Many tests wait for servers: three at a time take a quarter less time than two, also on two cores.
  maxWorkers: 3,
  testSequencer: '<rootDir>/test/sequencer.js',
  // The only end of what a test waits for: it decides how long a test that hangs lasts, not how fast the machine is.
  testTimeout: 600_000,
  projects: [
    project('unit', beside, { testPathIgnorePatterns: withProcesses, ...plain }),
    project('house', inFolder('house')),
    project('processes', beside, { testPathIgnorePatterns: [`^(?!.*(${withProcesses.join('|')}))`] }),
    project('e2e', inFolder('e2e'), onServer),
    project('contract', inFolder('contract'), onServer),
    // With Chromium, which a clean machine does not have.
    project('browser', inFolder('browser'), onServer),
    project('upgrade', inFolder('upgrade'), onServer),
    project('guides', inFolder('contributing')),
    project('links-count', inFolder('links-count'), onServer),
    project('fault', inFolder('fault')),
    project('stores', ['<rootDir>/shared/{blobs,store/mongodb}/**/*.test.ts']),
    project('distributed', inFolder('distributed')),
    project('deploy', inFolder('deploy')),
    // What the test of the runner runs.
    project('unsteady', inFolder('fixtures/unsteady')),
    project('baseline', ['<rootDir>/test/upgrade/*.baseline.ts']),
  ],
};
