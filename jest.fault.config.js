import others from './jest.config.js';

/**
 * Tests that kill, starve and stop servers of their own: they take nearly as long as all others. Many measure how long an answer
 * takes and start several servers, so no more run at once than there are processors on a small machine.
 */
export default {
  ...others,
  maxWorkers: 2,
  testMatch: ['<rootDir>/test/fault/**/*.test.ts'],
  testTimeout: 60_000,
};
