import whole from './jest.config.js';

const { globalSetup, globalTeardown, ...common } = whole;

/**
 * The tests beside the code and those of the house: no build, no server. One that needs either belongs in another folder of
 * `test/`; see docs/contributing/where-a-test-goes.md.
 */
export default {
  ...common,
  testMatch: ['<rootDir>/{services,shared,test/house}/**/*.test.ts'],
};
