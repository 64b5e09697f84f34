import others from './jest.config.js';

/** Tests that kill, starve and stop servers of their own: they take nearly as long as all others. */
export default { ...others, testMatch: ['<rootDir>/test/fault/**/*.test.ts'] };
