import { failureOf } from '../errors/errors.js';
import { createLog } from '../monitoring/log.js';
import { readConfig } from '../settings/config.js';
import { type Model, openModel } from './model.js';
import { type ModelServer, openModelServer } from './testing/model-server.js';

let server: ModelServer;
let model: Model;
beforeAll(async () => {
  server = await openModelServer();
  const config = readConfig({
    MODEL_URL: `${server.url}/`,
    MODEL_NAME: 'small',
    MODEL_KEY: 'a-key',
    MODEL_REQUESTS: '2',
  });
  model = openModel(config, createLog('silent')) as Model;
});
afterAll(async () => {
  await model.close();
  await server.close();
});

const ask = (
  content: string,
  options: { onText?: (text: string) => void; signal?: AbortSignal; organization?: string } = {},
) =>
  model.complete({
    purpose: 'ask',
    organization: 'org',
    messages: [{ role: 'user', content }],
    maxTokens: 100,
    ...options,
  });

describe('the model of the operator', () => {
  it('is asked by name and key, and its text comes in pieces', async () => {
    const texts: string[] = [];
    const { text, use } = await ask('⟪say Well, it is so.⟫', { onText: (so) => texts.push(so) });
    expect([text, use]).toEqual(['Well, it is so.', { sent: 100, answered: 4 }]);
    expect(texts).toEqual(['Well,', 'Well, it', 'Well, it is', 'Well, it is so.']);
    expect(server.requests.at(-1)).toMatchObject({ model: 'small', authorization: 'Bearer a-key', max_tokens: 100 });
  });

  it.each(['⟪fail 500⟫', '⟪fail 401⟫', '⟪fail 302⟫', '⟪break⟫', '⟪huge⟫'])(
    'is unavailable when it answers %s',
    async (content) => {
      const failure = failureOf(await ask(content).catch((error) => error));
      expect([failure.status, failure.reason]).toEqual([503, 'model_failed']);
    },
  );

  it('is left when the asker goes', async () => {
    const { left } = server;
    const leaving = new AbortController();
    const asked = ask('⟪hang⟫ a b c d', { signal: leaving.signal, onText: () => leaving.abort(new Error('gone')) });
    await expect(asked).rejects.toThrow('gone');
    await server.until(() => server.left > left);
  });

  it('answers one request of an organization at a time, and others beside it', async () => {
    const before = server.requests.length;
    const [first, second] = [ask('⟪wait⟫ 1'), ask('⟪wait⟫ 2')];
    const other = ask('⟪wait⟫ 3', { organization: 'other' });
    await server.until(() => server.requests.length === before + 2);
    expect(server.requests.slice(before).map(({ messages }) => messages[0]?.content)).toEqual(['⟪wait⟫ 1', '⟪wait⟫ 3']);
    const released = setInterval(() => server.release(), 5);
    await Promise.all([first, second, other]).finally(() => clearInterval(released));
  });
});
