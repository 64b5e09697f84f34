import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageFile } from '../../shared/process/package-root.js';
import { eventually } from '../../shared/testing/eventually.js';
import { newOrganization } from '../support/fixtures.js';
import { at, freeName, install, manifestOf, publish } from '../support/integrations.js';
import { type StartedServer, startServer } from '../support/server.js';

let folder: string;
let server: StartedServer;
let organization: string;
const runners: ChildProcess[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'br-'));
  server = await startServer({ env: { INTEGRATION_RUNNER: join(folder, 'socket') } });
  organization = await newOrganization(server);
});
afterAll(async () => {
  await server?.stop();
  for (const runner of runners) await killed(runner);
  await rm(folder, { recursive: true });
});

async function startRunner(): Promise<ChildProcess> {
  const env = { PATH: process.env.PATH, INTEGRATION_RUNNER: join(folder, 'socket') };
  const runner = spawn(process.execPath, [packageFile('dist/services/commands/script-runner.js')], { env });
  runners.push(runner);
  let written = '';
  for (const stream of [runner.stdout, runner.stderr]) stream.on('data', (chunk) => (written += chunk));
  await eventually('the runner', () => written.includes('started'));
  return runner;
}

async function killed(runner: ChildProcess): Promise<void> {
  if (runner.exitCode !== null || runner.signalCode !== null) return;
  const gone = once(runner, 'exit');
  runner.kill('SIGKILL');
  await gone;
}

const script = `export default { fetch: () => new Response('hello') };`;
const publishing = (text: string) => server.post(at(freeName()), { ...manifestOf(organization), script: text });

it('publishes nothing with a script while the runner of scripts is not there, and says so', async () => {
  const { status, body } = await publishing(script);
  expect([status, body]).toEqual([
    503,
    { error: { code: 503, message: 'Scripts cannot be tried at present; publish it again', reason: 'busy' } },
  ]);
});

it('runs scripts where the runner is, and again after another one took its place', async () => {
  const runner = await startRunner();
  expect((await publishing('export default { fetch( {')).status).toBe(400);
  const name = await publish(server, organization, script);
  const { publicEndpoint } = (await install(server, name, organization)).urls;
  const asked = async () => {
    const answer = await fetch(publicEndpoint);
    return [answer.status, answer.status === 200 ? await answer.text() : ''];
  };
  expect(await asked()).toEqual([200, 'hello']);
  await killed(runner);
  expect(await asked()).toEqual([503, '']);
  await startRunner();
  expect(await asked()).toEqual([200, 'hello']);
});
