import others from './jest.unit.config.js';

/** Tests of what operators run. They need kubectl 1.27 or later, promtool (Debian: prometheus), nats-server, openssl and systemd-analyze. */
export default { ...others, testMatch: ['<rootDir>/test/deploy/**/*.test.ts'] };
