import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { bodyLimits } from '../services/integrations/runtime/limits.js';
import { residentBytesOf, workerdPath } from '../services/integrations/runtime/process/launch.js';
import { createRuntime, launcherHere, type Program, type Runtime } from '../services/integrations/runtime/runtime.js';
import { runtimesOf } from '../services/integrations/runtime/testing/processes.js';
import { createLog } from '../shared/monitoring/log.js';
import { createOutbound } from '../shared/outbound/client.js';
import { HeldBytes } from '../shared/work/held-bytes.js';
import { median } from './median.js';

/**
 * What running a script costs: the first call of a program and later ones, against a bare workerd that answers a call of the same size, and the
 * memory of an idle process.
 */
const starts = 10;
const calls = 1000;
const rounds = 5;
/** Milliseconds; times a bare call. */
const goals = { firstMs: 300, ratio: 3 };
const environment = { integration: { name: 'bench' }, secrets: {}, apiTokens: {} };

const answering = `async fetch(request) {
  const form = await request.formData();
  return Response.json(JSON.parse(form.get('event')));
}`;
const script = `export default { ${answering} };`;
const programOf = (name: string): Program => ({
  name,
  organization: name,
  version: '1',
  format: 'v2',
  script: async () => script,
});
const dispatch = { event: { eventId: 'bench', type: 'bench' }, environment, timeoutMs: 10_000 };

const configOf = (socket: string) => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (modules = [(name = "main", esModule = embed "main.mjs")], compatibilityDate = "2025-05-05"))],
  sockets = [(name = "main", address = "unix:${socket}", service = "main")]
);`;

/** A call of the same size to a workerd with nothing around it. */
async function openFloor() {
  const folder = await mkdtemp(join(tmpdir(), 'bi-'));
  const socketPath = join(folder, 's');
  await writeFile(join(folder, 'main.mjs'), script);
  await writeFile(join(folder, 'config.capnp'), configOf(socketPath));
  const args = ['serve', join(folder, 'config.capnp'), '--control-fd=3'];
  const child = spawn(await workerdPath(), args, { env: {}, stdio: ['ignore', 'ignore', 'inherit', 'pipe'] });
  await once(child.stdio[3] as NodeJS.ReadableStream, 'data');
  const worker = new Pool('http://worker', { socketPath });
  const parts = Object.entries({ event: dispatch.event, environment }).map(
    ([name, value]) => `--part\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${JSON.stringify(value)}\r\n`,
  );
  const body = `${parts.join('')}--part--\r\n`;
  const headers = { 'content-type': 'multipart/form-data; boundary=part' };
  return {
    async call() {
      const answer = await worker.request({ path: '/v1', method: 'POST', headers, body });
      await answer.body.arrayBuffer();
    },
    async close() {
      await worker.destroy();
      child.kill('SIGKILL');
      await rm(folder, { recursive: true });
    },
  };
}

async function timed(call: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await call();
  return performance.now() - began;
}

async function medianOf(call: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < calls; at++) times.push(await timed(call));
  return median(times);
}

/** The resident memory of the processes of workerd that this one has started, in MiB. */
const residentMiB = (): number =>
  runtimesOf(process.pid).reduce((bytes, pid) => bytes + residentBytesOf(pid), 0) / 1024 ** 2;

async function firstCalls(runtime: Runtime): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < starts; at++) {
    const name = `first-${at}`;
    times.push(
      await timed(async () => {
        const { ended } = await runtime.dispatch(programOf(name), dispatch);
        await ended;
      }),
    );
    runtime.retire(name);
  }
  return median(times);
}

/** In turns with the floor, as the machine may be busy with other things. */
async function laterCalls(runtime: Runtime): Promise<{ ms: number; floorMs: number; ratio: number }> {
  const floor = await openFloor();
  const program = programOf('later');
  const call = () => runtime.dispatch(program, dispatch);
  await Promise.all([medianOf(call), medianOf(floor.call)]);
  const samples: { ms: number; floorMs: number }[] = [];
  for (let round = 0; round < rounds; round++)
    samples.push({ floorMs: await medianOf(floor.call), ms: await medianOf(call) });
  await floor.close();
  return {
    ms: median(samples.map(({ ms }) => ms)),
    floorMs: median(samples.map(({ floorMs }) => floorMs)),
    ratio: median(samples.map(({ ms, floorMs }) => ms / floorMs)),
  };
}

async function main(): Promise<void> {
  const outbound = createOutbound();
  const bodies = new HeldBytes(bodyLimits);
  const log = createLog('info');
  const launcher = launcherHere('auto', log);
  const runtime = createRuntime({ log, outbound, apiEndpoint: 'http://127.0.0.1:9', bodies, launcher });
  const none = residentMiB();
  const firstMs = await firstCalls(runtime);
  await runtime.check(programOf('idle'));
  const idle = residentMiB();
  runtime.retire('idle');
  const { ms, floorMs, ratio } = await laterCalls(runtime);
  const later = residentMiB();
  await runtime.close();
  await outbound.close();
  const left = (await readdir(tmpdir())).filter((name) => name.startsWith('bi-')).length;
  const say = (isOk: boolean, text: string) => process.stdout.write(`${isOk ? 'ok  ' : 'MISS'} ${text}\n`);
  say(firstMs < goals.firstMs, `first call ${firstMs.toFixed(0)} ms, median of ${starts} (goal ${goals.firstMs} ms)`);
  say(
    ratio < goals.ratio,
    `later call ${ms.toFixed(2)} ms, ${ratio.toFixed(2)} times a bare one of ${floorMs.toFixed(2)} ms (goal ${goals.ratio})`,
  );
  say(
    true,
    `memory: no process ${none.toFixed(0)} MiB, an idle one ${idle.toFixed(0)} MiB, after calls ${later.toFixed(0)} MiB`,
  );
  say(true, `folders in ${tmpdir()} now: ${left}`);
  process.exitCode = firstMs < goals.firstMs && ratio < goals.ratio ? 0 : 1;
}

await main();
