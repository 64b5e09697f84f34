import { existsSync } from 'node:fs';
import { packageFile } from '../../../shared/process/package-root.js';
import { configSchema } from '../../../shared/settings/config.js';
import { environmentProblems, imageEnvironment, runBy, secrets, services, textOf, version, yamlOf } from './files.js';

interface Service {
  image: string;
  environment: Record<string, string>;
  volumes?: string[];
  networks?: string[];
  network_mode?: string;
  ports?: string[];
  healthcheck: { test: string[] };
  depends_on?: Record<string, { condition: string }>;
  restart: string;
  command?: string[];
  read_only: boolean;
  cap_drop: string[];
  user?: string;
  ulimits?: unknown;
}
interface Compose {
  services: Record<string, Service>;
  volumes: Record<string, null>;
  networks: Record<string, null>;
}
const compose = yamlOf<Compose>('docker-compose.yml');
const all = Object.entries(compose.services);
const preflight = compose.services.preflight as Service;
const runner = compose.services.scripts as Service;
const ours = all.filter(([name, { image }]) => image.startsWith('bindery:') && services.includes(name));

/** Replaces `${NAME}`, `${NAME:-default}` and `${NAME:?why}` as Compose does where only the secrets are set. */
function interpolate(text: string): string {
  return String(text)
    .replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind?: string, rest?: string) => {
      if (secrets[name] === undefined && kind === '?') throw new Error(`${name}: ${rest}`);
      return secrets[name] ?? rest ?? '';
    })
    .replaceAll('$$', '$');
}
const environmentOf = ({ environment }: Service) =>
  Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, interpolate(value)]));

describe('docker-compose.yml', () => {
  it('runs every service of Bindery by itself, from one image of this version', () => {
    expect(ours.map(([name]) => name).sort()).toEqual([...services].sort());
    expect(ours.filter(([name, { environment }]) => environment.SERVICES !== runBy(name))).toEqual([]);
    expect(new Set([preflight, runner, ...ours.map(([, service]) => service)].map(({ image }) => image))).toEqual(
      new Set([`bindery:${version}`]),
    );
  });

  it('gives each process settings that it knows and accepts', () => {
    expect(
      ours.flatMap(([name, service]) => environmentProblems(environmentOf(service)).map((each) => [name, each])),
    ).toEqual([]);
  });

  it('passes on every setting of `.env` that is not fixed in containers or for one server', () => {
    const fixed = [
      ...Object.keys(imageEnvironment),
      'CLICKHOUSE_URL',
      'CLICKHOUSE_CLUSTER',
      'INTEGRATIONS_API_URL',
      'INTEGRATION_RUNNER',
      'CHECK_RESPONSES',
      'TIME_SCALE',
    ];
    const passed = Object.keys(compose.services.gateway?.environment ?? {});
    expect(Object.keys(configSchema.shape).filter((name) => !fixed.includes(name) && !passed.includes(name))).toEqual(
      [],
    );
  });

  it('needs the secrets that deploy/secrets writes, and no other', () => {
    const needed = [...textOf('docker-compose.yml').matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name);
    expect([...new Set(needed)].sort()).toEqual(Object.keys(secrets).sort());
  });

  it('has addresses of its own services in a network that they share', () => {
    const wrong = ours.flatMap(([name, service]) =>
      ['NATS_URL', 'MONGODB_URL', 'CLICKHOUSE_URL'].flatMap((setting) => {
        const { [setting]: url } = environmentOf(service);
        const host = url === undefined ? undefined : new URL(url).hostname;
        if (host === undefined) return [];
        const shared = compose.services[host]?.networks?.some((network) => service.networks?.includes(network));
        return shared && preflight.depends_on?.[host] ? [] : [`${name}: ${setting}`];
      }),
    );
    expect(wrong).toEqual([]);
  });

  it('ends with an error, instead of starting processes for ever, where their settings or servers are wrong', () => {
    const all = Object.assign({}, ...ours.map(([, service]) => environmentOf(service)));
    const { SERVICES, INTEGRATIONS_API_URL, INTEGRATION_RUNNER, ...environment } = all;
    expect(environmentOf(preflight)).toEqual(environment);
    expect([preflight.restart, preflight.command]).toEqual(['no', ['dist/services/commands/preflight.js']]);
    expect(ours.map(([, { depends_on }]) => depends_on)).toEqual(
      ours.map(() => ({ preflight: { condition: 'service_completed_successfully' } })),
    );
    expect(new Set(Object.values(preflight.depends_on ?? {}).map(({ condition }) => condition))).toEqual(
      new Set(['service_healthy']),
    );
  });

  it('runs scripts in a container that has neither secrets nor a network', () => {
    const { environment, network_mode, networks, volumes, command } = runner;
    const integrations = compose.services.integrations as Service;
    expect([network_mode, networks, volumes]).toEqual(['none', undefined, ['scripts:/scripts']]);
    expect(integrations.volumes).toContain('scripts:/scripts');
    expect(environment.INTEGRATION_RUNNER).toBe(integrations.environment.INTEGRATION_RUNNER);
    expect(Object.keys(environment).sort()).toEqual(['INTEGRATION_RUNNER', 'INTEGRATION_SANDBOX', 'LOG_LEVEL']);
    expect(environmentProblems(environmentOf(runner))).toEqual([]);
    expect(existsSync(packageFile(command?.[0]?.replace('dist/', '').replace('.js', '.ts') ?? ''))).toBe(true);
  });

  it('publishes the port of the gateway alone, and asks each process on its own port whether it is ready', () => {
    expect(all.filter(([, { ports }]) => ports).map(([name, { ports }]) => [name, ports?.map(interpolate)])).toEqual([
      ['gateway', [`127.0.0.1:${imageEnvironment.PORT}:${imageEnvironment.PORT}`]],
    ]);
    const tests = new Set(ours.map(([, { healthcheck }]) => healthcheck.test.map(interpolate).join(' ')));
    expect([...tests]).toEqual([expect.stringContaining('process.env.METRICS_PORT}/readyz')]);
    expect(textOf('shared/monitoring/health-server.ts')).toContain("'/readyz'");
  });

  it('names volumes, networks and files that exist', () => {
    const mounts = all.flatMap(([, { volumes }]) => volumes ?? []).map((mount) => mount.split(':')[0] ?? '');
    const known = (source: string) =>
      source.startsWith('./') ? existsSync(packageFile(source)) : Object.hasOwn(compose.volumes, source);
    expect(mounts.filter((source) => !known(source))).toEqual([]);
    expect(
      all.flatMap(([, { networks = [] }]) => networks).filter((name) => !Object.hasOwn(compose.networks, name)),
    ).toEqual([]);
  });

  it('keeps every container from writing outside of its volumes, and from rights it does not need', () => {
    expect(all.filter(([, { read_only, cap_drop }]) => !read_only || cap_drop.join() !== 'ALL')).toEqual([]);
    expect(
      all.filter(([, { image, user }]) => !image.startsWith('bindery:') && !/^[1-9]\d*:[1-9]\d*$/.test(user ?? '')),
    ).toEqual([]);
  });

  it('asks for no limit that a restricted daemon may refuse', () => {
    expect(all.filter(([, { ulimits }]) => ulimits !== undefined)).toEqual([]);
  });

  it('pins the version of every image', () => {
    expect(all.map(([, { image }]) => image).filter((image) => !/:\d+\.\d+\.\d+/.test(image))).toEqual([]);
  });
});
