import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { readConfig } from './config.js';

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

  it('are lists, numbers and flags from text; an empty one counts as unset', () => {
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

  it('take an address with a path, and a data folder relative to the working directory', () => {
    expect(readConfig({ BASE_URL: 'https://example.com/docs/' }).baseUrl).toBe('https://example.com/docs');
    expect(readConfig({ DATA_DIR: 'some/data' }).DATA_DIR).toBe(resolve('some/data'));
    expect(readConfig({}).DATA_DIR).toBe(resolve('data'));
  });

  it.each([
    'mongodb://ada:p%40ss@one:27017,two:27018,[::1]:27019/docs?replicaSet=rs0',
    'mongodb+srv://ada:hidden@cluster.example/docs',
  ])('take the MongoDB of %s', (url) => {
    expect(readConfig({ MONGODB_URL: url, SECRET_KEY: randomBytes(32).toString('base64') }).MONGODB_URL).toBe(url);
  });

  it('ask for ClickHouse only where insights runs', () => {
    const bus = {
      NATS_URL: 'nats://127.0.0.1:4222',
      MONGODB_URL: 'mongodb://127.0.0.1',
      SECRET_KEY: randomBytes(32).toString('base64'),
    };
    expect(readConfig({ ...bus, SERVICES: 'gateway,sites' }).CLICKHOUSE_URL).toBeUndefined();
    const CLICKHOUSE_URL = 'https://ada:hidden@clickhouse.example/docs';
    expect(readConfig({ ...bus, CLICKHOUSE_URL, CLICKHOUSE_CLUSTER: 'events' })).toMatchObject({
      CLICKHOUSE_URL,
      CLICKHOUSE_CLUSTER: 'events',
    });
  });

  it('refuse a scale of time in production, and one from `.env`, which comes too late', () => {
    const own = String(process.env.TIME_SCALE);
    expect(readConfig({ TIME_SCALE: own }).TIME_SCALE).toBe(Number(own));
    expect(() => readConfig({ NODE_ENV: 'production', TIME_SCALE: own })).toThrow('TIME_SCALE: is for tests');
    expect(() => readConfig({ TIME_SCALE: '7' })).toThrow('TIME_SCALE: set it in the environment of the process');
    expect(() => readConfig({ TIME_SCALE: '0' })).toThrow('TIME_SCALE');
  });

  it('say which values a boolean takes', () => {
    expect(() => readConfig({ CHECK_RESPONSES: 'yes' })).toThrow('CHECK_RESPONSES: must be true or false (or 1, 0)');
  });

  it('take the sender of mails with and without a name', () => {
    const from = (text: string) => readConfig({ MAIL_FROM: text }).MAIL_FROM;
    expect(from('docs@example.com')).toEqual({ name: '', address: 'docs@example.com' });
    expect(from('"Zoë\'s, Docs" <docs@example.com>')).toEqual({ name: "Zoë's, Docs", address: 'docs@example.com' });
  });

  it('take renderers by their base URLs', () => {
    const RENDERER_URLS = 'http://10.0.0.7:3000/, https://docs.example/renderer//';
    expect(readConfig({ RENDERER_URLS, RENDERER_SECRET: 's' }).RENDERER_URLS).toEqual([
      'http://10.0.0.7:3000',
      'https://docs.example/renderer',
    ]);
  });

  it('name an invalid one without its secrets', () => {
    const wrong = () => readConfig({ SMTP_URL: 'smpt://ada:hidden@mail.example', MAIL_FROM: 'nobody' });
    expect(wrong).toThrow(/SMTP_URL.*\n.*MAIL_FROM/);
    expect(wrong).not.toThrow(/hidden/);
  });

  it.each([
    [{ NATS_URL: 'nats://127.0.0.1:4222' }, 'MONGODB_URL'],
    [{ NATS_URL: 'nats://127.0.0.1:4222' }, 'CLICKHOUSE_URL: required with NATS_URL where insights runs'],
    [{ NATS_URL: 'nats://127.0.0.1:4222', SERVICES: 'sites,insights' }, 'CLICKHOUSE_URL: required with NATS_URL'],
    [{ CLICKHOUSE_CLUSTER: 'events' }, 'CLICKHOUSE_URL: required with CLICKHOUSE_CLUSTER'],
    [{ CLICKHOUSE_URL: 'http://127.0.0.1:8123', CLICKHOUSE_CLUSTER: "it's" }, 'CLICKHOUSE_CLUSTER: must be the name'],
    [{ CLICKHOUSE_URL: 'tcp://127.0.0.1:9000' }, 'CLICKHOUSE_URL: must be http'],
    [{ EVENT_RETENTION_DAYS: '0' }, 'EVENT_RETENTION_DAYS'],
    [{ EVENT_RETENTION_DAYS: '20001' }, 'EVENT_RETENTION_DAYS'],
    [{ EVENT_WINDOW_MINUTES: '52560001' }, 'EVENT_WINDOW_MINUTES'],
    [{ EVENTS_PER_MINUTE: '-1' }, 'EVENTS_PER_MINUTE'],
    [{ MONGODB_URL: 'mongodb://127.0.0.1' }, 'SECRET_KEY'],
    [{ SECRET_KEY: 'short' }, 'SECRET_KEY'],
    [{ CHECK_RESPONSES: 'maybe' }, 'CHECK_RESPONSES'],
    [{ BASE_URL: 'docs.example' }, 'BASE_URL'],
    [{ BASE_URL: 'https://docs.example/?a=b' }, 'BASE_URL: must be'],
    [{ BASE_URL: 'https://docs.example/#a' }, 'BASE_URL: must be'],
    [{ BASE_URL: 'https://ada:hidden@docs.example/' }, 'BASE_URL: must be'],
    [{ MONGODB_URL: 'mongo://one' }, 'MONGODB_URL: must be'],
    [{ MONGODB_URL: 'mongodb:///docs' }, 'MONGODB_URL: must be'],
    [{ NATS_URL: 'nats://one:4222,http://two' }, 'NATS_URL: must be'],
    [{ NATS_URL: 'one:4222' }, 'NATS_URL: must be'],
    [{ NATS_URL: 'nats://one:99999' }, 'NATS_URL: must be'],
    [{ BOOTSTRAP_TOKEN: 'two words that together are long enough' }, 'BOOTSTRAP_TOKEN'],
    [{ SMTP_URL: 'http://mail.example' }, 'SMTP_URL'],
    [{ SMTP_URL: 'smtp://' }, 'SMTP_URL'],
    [{ SMTP_URL: 'smtp://mail.example?debug=true' }, 'SMTP_URL'],
    [{ MAIL_FROM: 'docs@example.com\r\nBcc: eve@example.com' }, 'MAIL_FROM'],
    [{ MAIL_FROM: 'Docs\n <docs@example.com>' }, 'MAIL_FROM'],
    [{ MAIL_FROM: 'Docs <docs@example.com>, eve@example.com' }, 'MAIL_FROM'],
    [{ RENDERER_URLS: 'http://renderer:3000' }, 'RENDERER_SECRET: required with RENDERER_URLS'],
    [{ RENDERER_URLS: 'renderer:3000', RENDERER_SECRET: 's' }, 'RENDERER_URLS: must be http(s) URLs'],
    [{ RENDERER_URLS: 'http://a:b@renderer/', RENDERER_SECRET: 's' }, 'RENDERER_URLS: must have no credentials'],
    [{ RENDERER_URLS: 'http://renderer/?a=1', RENDERER_SECRET: 's' }, 'RENDERER_URLS: must have no credentials'],
    [{ TRUSTED_PROXIES: '10.0.0.0/99' }, 'TRUSTED_PROXIES'],
    [{ OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8,999.1.1.1/8' }, 'OUTBOUND_ALLOW_CIDRS'],
    [{ GITHUB_APP_ID: '7' }, 'GITHUB_APP_PRIVATE_KEY: required with GITHUB_APP_ID'],
    [{ GITHUB_APP_ID: '7', GITHUB_APP_PRIVATE_KEY: 'none' }, 'GITHUB_APP_PRIVATE_KEY: must be an RSA private key'],
    [{ GITHUB_APP_INSTALLATIONS: 'a=1' }, 'GITHUB_APP_ID: required with GITHUB_APP_INSTALLATIONS'],
    [{ GITHUB_APP_INSTALLATIONS: 'a=b' }, 'GITHUB_APP_INSTALLATIONS: must be <organization id>=<installation id>'],
  ])('%j names %s', (environment, name) => {
    expect(() => readConfig(environment)).toThrow(name);
  });

  it('say what an invalid one must be, in plain words', () => {
    const environment = { CHECK_RESPONSES: 'yes', PORT: 'http', LOG_REQUESTS: 'none', CORS_ORIGINS: 'a,b' };
    expect(() => readConfig(environment)).toThrow(
      'Invalid settings:\n  PORT: must be a number\n  LOG_REQUESTS: must be one of all, slow\n  CHECK_RESPONSES: must be true or false',
    );
  });
});
