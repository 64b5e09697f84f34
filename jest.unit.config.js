import whole from './jest.config.js';

const { globalSetup, globalTeardown, ...common } = whole;

/** Beside the code, but with processes of their own: git, mail, HTTP, scripts, or one that is killed. */
const withServers = [
  '/content/git/branch',
  '/content/git/fetch',
  '/content/git/tree/history',
  '/identity/sign-in/',
  '/integrations/runtime/',
  '/sqlite-durability',
  '/shared/mail',
];

/**
 * The tests beside the code and those of the house: no build, no server. One that needs either belongs in another folder of
 * `test/`; see docs/contributing/where-a-test-goes.md.
 */
export default {
  ...common,
  testMatch: ['<rootDir>/{services,shared,test/house}/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', ...withServers],
};
