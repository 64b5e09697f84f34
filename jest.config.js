export default {
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  // Many tests wait for servers: three at a time take a quarter less time than two, also on two cores.
  maxWorkers: 3,
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/data/'],
  testEnvironment: 'node',
  testMatch: ['<rootDir>/{services,shared}/**/*.test.ts', '<rootDir>/test/!(fault|deploy)/**/*.test.ts'],
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  testTimeout: 60_000,
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'es6' } },
    ],
  },
};
