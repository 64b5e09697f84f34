import { build } from 'esbuild';
import { eventOf, failureOf, messages, moduleOf, programOf, rest, testedRuntime } from './testing/scripts.js';

const runtime = testedRuntime();
afterAll(() => runtime.close());

/** Bundled as the CLI bundles what is published. */
async function bundled(source: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: process.cwd(), loader: 'ts' },
    bundle: true,
    write: false,
    platform: 'neutral',
    format: 'esm',
    target: 'es2020',
    minify: true,
    mainFields: ['worker', 'browser', 'module', 'jsnext', 'main'],
    conditions: ['worker', 'browser', 'import', 'production'],
    define: { 'process.env.NODE_ENV': '"production"', MODE: '"production"' },
    external: ['node:*', 'cloudflare:*'],
  });
  return outputFiles[0]?.text ?? '';
}

describe('answers', () => {
  test('a module gets event and environment, and no header of ours', async () => {
    const program = programOf(
      moduleOf(`const form = await request.formData();
        const names = [...request.headers.keys()].filter((name) => name.includes('bindery'));
        return Response.json([new URL(request.url).pathname, form.get('event'), form.get('environment'), names],
          { status: 201, headers: [['set-cookie', 'a=1'], ['set-cookie', 'b=2']] });`),
    );
    const answer = await runtime.dispatch(program, eventOf({ environment: { secrets: { key: 'é' } } }));
    expect(answer.status).toBe(201);
    expect(answer.headers.filter(([name]) => name === 'set-cookie')).toEqual([
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
    ]);
    expect(JSON.parse(answer.body.toString())).toEqual([
      '/v1',
      '{"eventId":"event","type":"fetch"}',
      '{"secrets":{"key":"é"}}',
      [],
    ]);
  });

  test('a classic script answers with its listener', async () => {
    const script = `leaked = 'sloppy';
      addEventListener('fetch', (event) => {
        event.waitUntil(Promise.resolve().then(() => console.log('afterwards')));
        event.respondWith(new Response(leaked + new URL(event.request.url).pathname));
      });`;
    const answer = await runtime.dispatch(programOf(script, { format: 'v1' }), eventOf());
    expect(answer.body.toString()).toBe('sloppy/v1');
    expect(messages(await answer.ended)).toEqual(['afterwards']);
  });

  test('redirects are answers', async () => {
    const program = programOf(moduleOf(`return Response.redirect('https://example.com/', 302);`));
    const { status, headers } = await runtime.dispatch(program, eventOf());
    expect([status, Object.fromEntries(headers).location]).toEqual([302, 'https://example.com/']);
  });

  test('an error becomes a 500 and a line', async () => {
    const answer = await runtime.dispatch(programOf(moduleOf(`throw new Error('broken')`)), eventOf());
    expect([answer.status, answer.body.toString()]).toEqual([500, '{"error":"Internal server error"}']);
    expect(await answer.ended).toEqual([
      {
        level: 'error',
        message: expect.stringMatching(/^Error: broken\n.*script\.mjs:2:/),
        timestamp: expect.any(String),
      },
    ]);
  });
});

test('an integration made with @gitbook/runtime handles its events', async () => {
  const program = programOf(
    await bundled(`
      import { createComponent, createIntegration } from '@gitbook/runtime';
      const block = createComponent({
        componentId: 'block',
        render: async (element) => ({ type: 'block', children: [{ type: 'text', children: [element.props.text] }] }),
      });
      export default createIntegration({
        fetch: async (request) => {
          const bytes = new Uint8Array(await request.arrayBuffer());
          return Response.json([request.method, request.url, [...request.headers], [...bytes]]);
        },
        components: [block],
        events: { space_content_updated: (event, { environment }) => console.log('updated', event, environment) },
      });`),
  );
  const environment = { integration: 'x', apiEndpoint: 'https://example.com', apiTokens: { integration: 'token' } };
  const send = async (event: Record<string, unknown>, body?: Buffer) => {
    const dispatch = { event: { eventId: 'event', ...event } as any, environment };
    const answer = await runtime.dispatch(program, eventOf(body ? { ...dispatch, body } : dispatch));
    return { status: answer.status, text: answer.body.toString(), lines: messages(await answer.ended) };
  };

  const request = { method: 'POST', url: 'https://example.com/hook', headers: { 'x-signature': '1' } };
  const raw = Buffer.from([0xff, 0x00, 0x0d, 0x0a]);
  const fetched = await send({ type: 'fetch', request }, raw);
  expect(JSON.parse(fetched.text)).toEqual(['POST', request.url, [['x-signature', '1']], [...raw]]);
  const visited = await send({ type: 'fetch', request: { ...request, method: 'GET' } });
  expect(JSON.parse(visited.text)[3]).toEqual([]);

  const context = { type: 'configuration_space', theme: 'light' };
  const rendered = await send({
    type: 'ui_render',
    componentId: 'block',
    props: { text: 'hello' },
    state: {},
    context,
  });
  expect([rendered.status, rendered.text]).toEqual([200, expect.stringContaining('hello')]);

  const updated = await send({ type: 'space_content_updated', spaceId: 's' });
  expect([updated.status, updated.text]).toEqual([200, 'OK']);
  expect(updated.lines).toContainEqual(expect.stringMatching(/^updated \{.*"spaceId":"s".*\} \{"integration":"x",/));

  const unknown = await send({ type: 'space_view' });
  expect(unknown).toMatchObject({ status: 406, text: expect.stringContaining('does not handle') });
});

describe('lines', () => {
  test('belong to their event, also when several run at the same time', async () => {
    const program = programOf(
      moduleOf(`const { name } = JSON.parse((await request.formData()).get('event'));
        for (let at = 0; at < 5; at++) {
          console.info(name, at);
          await ${rest(5)};
        }
        return new Response();`),
    );
    const names = ['a', 'b', 'c', 'd'];
    const answers = await Promise.all(
      names.map((name) => runtime.dispatch(program, eventOf({ event: { eventId: 'same', type: 'fetch', name } }))),
    );
    for (const [at, name] of names.entries())
      expect(messages((await answers[at]?.ended) ?? [])).toEqual([0, 1, 2, 3, 4].map((line) => `${name} ${line}`));
  });

  test('are there of work after the answer, and of its errors', async () => {
    const program = programOf(
      moduleOf(`context.waitUntil(${rest(50)}.then(() => {
          console.warn('second', { list: [1n] });
          context.waitUntil(Promise.reject(new Error('third')));
        }));
        console.debug('first');
        return new Response('early');`),
    );
    const lines = await (await runtime.dispatch(program, eventOf())).ended;
    expect(lines.map(({ level, message }) => [level, message.split('\n')[0]])).toEqual([
      ['debug', 'first'],
      ['warn', 'second {"list":["1"]}'],
      ['error', 'Error: third'],
    ]);
  });

  test('are bounded, and the rest is counted', async () => {
    const program = programOf(
      moduleOf(`for (let at = 0; at < 10_000; at++) console.log('line', at); return new Response();`),
    );
    const lines = await (await runtime.dispatch(program, eventOf())).ended;
    expect(lines).toHaveLength(1001);
    expect(messages(lines.slice(-2))).toEqual(['line 999', '9000 further lines were dropped']);
  });

  test('are bounded in characters', async () => {
    const program = programOf(
      moduleOf(`for (let at = 0; at < 200; at++) console.log('é'.repeat(3000)); return new Response();`),
    );
    const lines = await (await runtime.dispatch(program, eventOf())).ended;
    expect(lines[0]?.message).toHaveLength(2000);
    expect(lines).toHaveLength(34);
    expect(lines.at(-1)).toMatchObject({ level: 'warn', message: '167 further lines were dropped' });
  });
});

describe('a script that does not start', () => {
  test.each([
    ['does not parse', 'const a = ;', /^Uncaught SyntaxError: Unexpected token ';'\n\s+at script\.mjs:1:10/],
    ['throws', `throw new Error('at once')`, /^Uncaught Error: at once/],
    ['exports nothing', 'export const fetch = 1;', /the default export of the script has no function fetch/],
    ['exports no function', 'export default {};', /the default export of the script has no function fetch/],
    ['needs what there is not', `import 'node:child_process';`, /No such module "node:child_process"/],
  ])('because it %s', async (_, script, message) => {
    const failure = await failureOf(runtime.check(programOf(script)));
    expect(failure.reason).toBe('start');
    expect(failure.message).toMatch(message);
    expect(failure.message).not.toContain('/tmp');
  });

  test('because its code is not there: the error is that of the store', async () => {
    const script = () => Promise.reject(new Error('no such blob'));
    await expect(runtime.check(programOf('', { script }))).rejects.toThrow('no such blob');
  });

  test('a classic script without a listener', async () => {
    const failure = await failureOf(runtime.check(programOf('var a = 1;', { format: 'v1' })));
    expect(failure.message).toContain('the script registers no fetch listener');
  });

  test('one that starts passes', async () => {
    await runtime.check(programOf(moduleOf('return new Response();')));
  });
});
