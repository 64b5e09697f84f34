import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '../../../shared/testing/eventually.js';
import { stillClock } from '../../../shared/testing/still-clock.js';
import { processorMsOf } from './process/launch.js';
import { openHold } from './testing/hold.js';
import { runtimesOf } from './testing/processes.js';
import { eventOf, failureOf, forever, messages, moduleOf, programOf, rest, testedRuntime } from './testing/scripts.js';

// What is not the limit that a test is about is far from it: how fast a machine is does not decide.
const far = { processorMs: 600_000, startMs: 600_000 };
const runtime = testedRuntime({ limits: far });
afterAll(() => runtime.close());

describe('processor time', () => {
  const runtime = testedRuntime({ limits: { ...far, processorMs: 1000 } });
  afterAll(() => runtime.close());

  test('an endless loop is stopped, while other programs answer', async () => {
    const loop = programOf(moduleOf(`console.log('before'); for (;;);`));
    await runtime.check(loop);
    const [pid = 0] = runtimesOf(process.pid);
    const hello = programOf(moduleOf(`return new Response('hello');`));
    await runtime.check(hello);
    const order: string[] = [];
    const before = processorMsOf(pid);
    const looping = failureOf(runtime.dispatch(loop, eventOf())).finally(() => order.push('stopped'));
    await eventually('the loop', () => processorMsOf(pid) - before > 100);
    order.push((await runtime.dispatch(hello, eventOf())).body.toString());
    const failure = await looping;
    expect(order).toEqual(['hello', 'stopped']);
    expect(failure).toMatchObject({
      reason: 'processor',
      bystander: false,
      message: 'The script used more than 1 s of processor time without a pause and was stopped',
    });
    expect(messages(failure.logs)).toEqual(['before']);
  });

  test('so is a loop of microtasks', async () => {
    const program = programOf(moduleOf('for (;;) await null;'));
    expect((await failureOf(runtime.dispatch(program, eventOf()))).reason).toBe('processor');
  });

  test('so is one at the start of the script', async () => {
    const failure = await failureOf(runtime.check(programOf('for (;;);')));
    const message = 'The script used more than 1 s of processor time without a pause while it started';
    expect(failure).toMatchObject({ reason: 'start', message });
  });

  test('all events of the process fail, each as a possible bystander', async () => {
    const program = programOf(
      moduleOf(`const { loop } = JSON.parse((await request.formData()).get('event'));
        if (loop) for (;;);
        await ${forever};`),
    );
    const events = [false, true].map((loop) => eventOf({ event: { eventId: 'e', type: 'fetch', loop } }));
    const failures = await Promise.all(events.map((event) => failureOf(runtime.dispatch(program, event))));
    for (const failure of failures) expect(failure).toMatchObject({ reason: 'processor', bystander: true });
  });
});

describe('memory', () => {
  test('two gigabytes of typed arrays are refused or end the process', async () => {
    const atOnce = programOf(moduleOf('return new Response(new Uint8Array(2e9).length);'));
    const answer = await runtime.dispatch(atOnce, eventOf());
    expect([answer.status, messages(await answer.ended)[0]]).toEqual([500, expect.stringMatching(/^RangeError/)]);
    const little = programOf(
      moduleOf(`const kept = [];
        for (let at = 0; at < 12; at++) {
          kept.push(new Uint8Array(2e7).fill(1));
          await ${rest(50)};
        }
        await ${forever};`),
    );
    const failure = await failureOf(runtime.dispatch(little, eventOf()));
    expect(failure).toMatchObject({
      reason: 'memory',
      message: 'The script used more than 256 MiB of memory and was stopped',
    });
  });

  test('what one event leaves is not the excess of the next one', async () => {
    const program = programOf(
      moduleOf(`const { wait, restMs } = JSON.parse((await request.formData()).get('event'));
        const kept = [];
        for (let at = 0; at < 8; at++) kept.push(new Uint8Array(2e7).fill(1));
        await ${rest('wait')};
        context.waitUntil(${rest('restMs')});
        return new Response(kept.length);`),
    );
    const event = (more: object) => eventOf({ event: { eventId: 'e', type: 'fetch', wait: 0, restMs: 0, ...more } });
    const text = async (more: object) => (await runtime.dispatch(program, event(more))).body.toString();
    // A check is made while it waits.
    const checked = { wait: 600 };
    for (const left of [{}, {}, { restMs: 600_000 }])
      expect([await text(left), await text(checked)]).toEqual(['8', '8']);
  });

  test('a flood of objects ends the process', async () => {
    const program = programOf(moduleOf('const kept = []; for (;;) kept.push({ kept: [1, 2, 3] });'));
    expect((await failureOf(runtime.dispatch(program, eventOf()))).reason).toBe('memory');
  });
});

describe('time', () => {
  stillClock();
  let hold: Awaited<ReturnType<typeof openHold>>;
  beforeAll(async () => {
    hold = await openHold();
  });
  afterAll(() => hold.close());

  test('a slow answer fails, while another event of the process comes to its end', async () => {
    const runtime = testedRuntime({ limits: far, allowCidrs: ['127.0.0.1'] });
    const program = programOf(moduleOf(`console.log('began'); ${hold.wait} return new Response('done');`));
    const patient = runtime.dispatch(program, eventOf());
    await hold.holds(1);
    const late = failureOf(runtime.dispatch(program, eventOf({ timeoutMs: 1500 })));
    await hold.holds(2);
    jest.advanceTimersByTime(1500);
    const failure = await late;
    expect(failure).toMatchObject({ reason: 'time', message: 'The script took more than 1.5 s', bystander: false });
    expect(messages(failure.logs)).toEqual(['began']);
    const next = runtime.dispatch(program, eventOf());
    await hold.holds(3);
    hold.release();
    for (const answer of [patient, next]) expect((await answer).body.toString()).toBe('done');
    await runtime.close();
  });

  test('work after the answer is ended', async () => {
    const hasty = testedRuntime({ limits: { afterMs: 200 } });
    const program = programOf(moduleOf('context.waitUntil(new Promise(() => {})); return new Response();'));
    const { ended } = await hasty.dispatch(program, eventOf());
    jest.advanceTimersByTime(200);
    expect(messages(await ended)).toEqual(['The work after the answer took more than 0.2 s and was ended']);
    await hasty.close();
  });
});

describe('output', () => {
  // All of it is written within a minute.
  stillClock();

  test('a large answer fails', async () => {
    const program = programOf(moduleOf('return new Response(new Uint8Array(6e6));'));
    const failure = await failureOf(runtime.dispatch(program, eventOf()));
    expect(failure).toMatchObject({ reason: 'too-large', message: 'The answer of the script is larger than 5 MiB' });
  });

  test('a flood of output ends the process', async () => {
    const program = programOf(
      moduleOf(
        `const text = 'x'.repeat(2000);
        for (;;) {
          outside(() => console.log(text));
          await null;
        }`,
        `import { AsyncLocalStorage } from 'node:async_hooks';
        const outside = AsyncLocalStorage.snapshot();`,
      ),
    );
    const failure = await failureOf(runtime.dispatch(program, eventOf()));
    expect(failure.reason).toBe('logs');
    expect(failure.logs.length).toBeLessThanOrEqual(1001);
  });
});

test('the machine is out of reach', async () => {
  for (const name of ['child_process', 'fs', 'worker_threads'])
    expect((await failureOf(runtime.check(programOf(`import 'node:${name}';`)))).reason).toBe('start');
  let arrived = 0;
  const server = createServer().on('connection', () => {
    arrived += 1;
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const program = programOf(
    moduleOf(
      `const socket = connect('127.0.0.1:${port}'); await socket.opened; return new Response('open');`,
      `import { connect } from 'cloudflare:sockets';`,
    ),
  );
  expect((await runtime.dispatch(program, eventOf())).status).toBe(500);
  await new Promise((closed) => server.close(closed));
  expect(arrived).toBe(0);
});
