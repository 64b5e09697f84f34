import others from './jest.config.js';

/** What `npm run baseline` runs: it records this release for the tests of the next one. */
export default { ...others, testMatch: ['<rootDir>/test/upgrade/*.baseline.ts'] };
