import { readFileSync } from 'node:fs';
import { readConfig } from './config.js';
import { configPage, envExample, envFile, withTable } from './config-docs.js';

describe('the settings', () => {
  it('have defaults for everything', () => {
    expect(readConfig({})).toMatchObject({
      HOST: '127.0.0.1',
      PORT: 4000,
      baseUrl: 'http://127.0.0.1:4000',
      SERVICES: [],
      OUTBOUND_ALLOW_CIDRS: [],
    });
  });

  it('are lists, numbers and flags of text; an empty one is not set', () => {
    const config = readConfig({
      SERVICES: 'gateway, identity,',
      RATE_LIMIT_PER_MINUTE: '0',
      CHECK_RESPONSES: '1',
      LOG_LEVEL: '',
      BASE_URL: 'https://docs.example/',
    });
    expect(config).toMatchObject({
      SERVICES: ['gateway', 'identity'],
      RATE_LIMIT_PER_MINUTE: 0,
      CHECK_RESPONSES: true,
      LOG_LEVEL: 'info',
      baseUrl: 'https://docs.example',
    });
  });

  it.each([
    [{ NATS_URL: 'nats://127.0.0.1:4222' }, 'MONGODB_URL'],
    [{ MONGODB_URL: 'mongodb://127.0.0.1' }, 'SECRET_KEY'],
    [{ SECRET_KEY: 'short' }, 'SECRET_KEY'],
    [{ CHECK_RESPONSES: 'maybe' }, 'CHECK_RESPONSES'],
    [{ BASE_URL: 'docs.example' }, 'BASE_URL'],
    [{ TRUSTED_PROXIES: '10.0.0.0/99' }, 'TRUSTED_PROXIES'],
    [{ OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8,999.1.1.1/8' }, 'OUTBOUND_ALLOW_CIDRS'],
  ])('%j names %s', (environment, name) => {
    expect(() => readConfig(environment)).toThrow(name);
  });

  it('are described as the handbook and .env.example say', () => {
    expect(readFileSync(envFile, 'utf8')).toBe(envExample());
    const page = readFileSync(configPage, 'utf8');
    expect(withTable(page)).toBe(page);
  });
});
