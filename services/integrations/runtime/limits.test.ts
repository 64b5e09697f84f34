import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, test } from '@jest/globals';
import { eventOf, failureOf, messages, moduleOf, programOf, testedRuntime } from './testing/scripts.js';

const runtime = testedRuntime({ limits: { processorMs: 1000, startMs: 60_000 } });
afterAll(() => runtime.close());

const hello = programOf(moduleOf(`return new Response('hello');`));

describe('processor time', () => {
  test('an endless loop is stopped, while other programs answer', async () => {
    await runtime.check(hello);
    let isStopped = false;
    const looping = failureOf(
      runtime.dispatch(programOf(moduleOf(`console.log('before'); for (;;);`)), eventOf()),
    ).finally(() => {
      isStopped = true;
    });
    let answers = 0;
    while (!isStopped) {
      expect((await runtime.dispatch(hello, eventOf())).body.toString()).toBe('hello');
      answers += 1;
      await new Promise((go) => setTimeout(go, 20));
    }
    const failure = await looping;
    expect(failure).toMatchObject({
      reason: 'processor',
      bystander: false,
      message: 'The script used more than 1 s of processor time without a pause and was stopped',
    });
    expect(messages(failure.logs)).toEqual(['before']);
    expect(answers).toBeGreaterThan(5);
  });

  test('so is a loop of microtasks', async () => {
    const program = programOf(moduleOf('for (;;) await null;'));
    expect((await failureOf(runtime.dispatch(program, eventOf()))).reason).toBe('processor');
  });

  test('so is one at the start of the script', async () => {
    const failure = await failureOf(runtime.check(programOf('for (;;);')));
    expect(failure).toMatchObject({ reason: 'start', message: expect.stringContaining('while it started') });
  });

  test('all events of the process fail, each as a possible bystander', async () => {
    const program = programOf(
      moduleOf(`const { loop } = JSON.parse((await request.formData()).get('event'));
        if (loop) for (;;);
        await new Promise(() => {});`),
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
        for (;;) {
          kept.push(new Uint8Array(2e7).fill(1));
          await new Promise((go) => setTimeout(go, 50));
        }`),
    );
    const failure = await failureOf(runtime.dispatch(little, eventOf()));
    expect(failure).toMatchObject({
      reason: 'memory',
      message: 'The script used more than 256 MiB of memory and was stopped',
    });
  });

  test('what one event leaves is not the excess of the next one', async () => {
    const program = programOf(
      moduleOf(`const { wait } = JSON.parse((await request.formData()).get('event'));
        const kept = [];
        for (let at = 0; at < 8; at++) kept.push(new Uint8Array(2e7).fill(1));
        await new Promise((go) => setTimeout(go, wait));
        return new Response(kept.length);`),
    );
    const event = (wait: number) => eventOf({ event: { eventId: 'e', type: 'fetch', wait } });
    const text = async (wait: number) => (await runtime.dispatch(program, event(wait))).body.toString();
    for (const _ of [1, 2, 3]) expect([await text(0), await text(600)]).toEqual(['8', '8']);
  });

  test('a flood of objects ends the process', async () => {
    const program = programOf(moduleOf('const kept = []; for (;;) kept.push({ kept: [1, 2, 3] });'));
    // Collecting the garbage of a full heap takes processor time; which limit is reached first depends on the machine.
    expect(['memory', 'processor']).toContain((await failureOf(runtime.dispatch(program, eventOf()))).reason);
  });
});

describe('time', () => {
  const slow = moduleOf(`const { wait } = JSON.parse((await request.formData()).get('event'));
    console.log('began');
    await new Promise((go) => setTimeout(go, wait));
    return new Response('done');`);
  const waiting = (wait: number, timeoutMs: number) =>
    eventOf({ event: { eventId: 'e', type: 'fetch', wait }, timeoutMs });

  test('a slow answer fails, while another event of the process comes to its end', async () => {
    const program = programOf(slow);
    await runtime.check(program);
    const late = failureOf(runtime.dispatch(program, waiting(60_000, 1500)));
    const patient = runtime.dispatch(program, waiting(3000, 20_000));
    const failure = await late;
    expect(failure).toMatchObject({ reason: 'time', message: 'The script took more than 1.5 s', bystander: false });
    expect(messages(failure.logs)).toEqual(['began']);
    expect((await patient).body.toString()).toBe('done');
    expect((await runtime.dispatch(program, waiting(0, 10_000))).body.toString()).toBe('done');
  });

  test('work after the answer is ended', async () => {
    const hasty = testedRuntime({ limits: { afterMs: 200 } });
    const program = programOf(moduleOf('context.waitUntil(new Promise(() => {})); return new Response();'));
    const { ended } = await hasty.dispatch(program, eventOf());
    expect(messages(await ended)).toEqual(['The work after the answer took more than 0.2 s and was ended']);
    await hasty.close();
  });
});

describe('output', () => {
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
