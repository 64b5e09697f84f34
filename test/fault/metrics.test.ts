import { freePort } from '../../shared/process/free-port.js';
import { eventually } from '../../shared/testing/eventually.js';
import { newOrganization, newSpace } from '../support/fixtures.js';
import { importInto, openRepositories, type Repositories } from '../support/repository.js';
import { type StartedServer, startServer } from '../support/server.js';

describe('the metrics of a process', () => {
  let server: StartedServer;
  let repositories: Repositories;
  beforeAll(async () => {
    repositories = await openRepositories();
    server = await startServer({
      env: { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8', RATE_LIMIT_PER_MINUTE: '2000', TRUSTED_PROXIES: '127.0.0.1/32' },
    });
  });
  afterAll(async () => {
    await server.stop();
    await repositories.close();
  });

  const metrics = async () => {
    const { body } = await server.get<string>('/metrics', { token: null });
    return new Map(
      body
        .split('\n')
        .filter((line) => line.startsWith('bindery_'))
        .map((line) => line.split(/ (?=[^ ]+$)/) as [string, string]),
    );
  };

  it('count imports by their end, with their pages, and the jobs behind them', async () => {
    await repositories.commit('counted', { 'README.md': '# One\n', 'two.md': '# Two\n' });
    const space = await newSpace(server, await newOrganization(server));
    const url = `${repositories.url}/counted.git`;
    const before = await metrics();
    await importInto(server, space, { url });
    await importInto(server, space, { url });
    await importInto(server, space, { url, ref: 'refs/heads/nowhere' });
    const importJobs = (outcome: string) =>
      `bindery_job_runs_total{service="content",kind="gitImport",outcome="${outcome}"}`;
    const grown = async (name: string) => Number((await metrics()).get(name) ?? 0) - Number(before.get(name) ?? 0);
    await eventually('the import that failed', () => grown(importJobs('failed')));
    for (const [name, expected] of [
      ['bindery_imports_total{outcome="success"}', 1],
      ['bindery_imports_total{outcome="unchanged"}', 1],
      ['bindery_imports_total{outcome="failure"}', 1],
      ['bindery_import_duration_seconds_count{outcome="success"}', 1],
      ['bindery_imported_pages_total', 2],
      [importJobs('completed'), 2],
    ] as const)
      expect([name, await grown(name)]).toEqual([name, expected]);
  });

  it('show what waits', async () => {
    const known = await metrics();
    expect(known.get('bindery_outbox_pending{service="content",consumer="identity"}')).toMatch(/^\d+$/);
    expect(known.get('bindery_outbox_oldest_seconds{service="content",consumer="identity"}')).toBeDefined();
    expect([...known.keys()].some((name) => name.startsWith('bindery_jobs{service="content"'))).toBe(true);
  });

  it('count answers with 429', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    const answers = await Promise.all(
      Array.from({ length: 2001 }, () =>
        server.get('/v1/user', { token: 'bnd_wrong', headers }).then(({ status }) => status),
      ),
    );
    expect(answers.filter((status) => status === 429)).toHaveLength(1);
    // Metrics that were made less than a second ago are answered again.
    const limited = async () => (await metrics()).get('bindery_rate_limited_total{by="address"}');
    expect(await eventually('a limited answer', limited)).toBe('1');
  });
});

describe('the port of a process for health and metrics', () => {
  it('is all that answers metrics by default, and says when the process stops', async () => {
    const port = await freePort();
    const server = await startServer({
      env: { METRICS_PORT: String(port), METRICS_PUBLIC: '', DRAIN_SECONDS: '600', NATS_URL: '' },
    });
    const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
    expect((await server.get('/metrics', { token: null })).status).toBe(404);
    expect(await (await ask('/metrics')).text()).toContain('bindery_bus_connected 1');
    expect(await (await ask('/readyz')).json()).toEqual({ status: 'ok' });
    server.process.kill('SIGTERM');
    const answer = await eventually(
      'the end of readiness',
      () => ask('/readyz'),
      ({ status }) => status === 503,
    );
    expect(await answer.json()).toEqual({ status: 'not ready', reason: 'the process is stopping' });
    expect((await ask('/healthz')).status).toBe(200);
    await server.kill();
  });
});
