import { type ModelServer, openModelServer } from '../../shared/model/testing/model-server.js';
import { askedSpace, eventsIn } from '../support/asking.js';
import { newOrganization } from '../support/fixtures.js';
import { type StartedServer, startServer } from '../support/server.js';

let model: ModelServer;
let server: StartedServer;
let organization: string;

beforeAll(async () => {
  model = await openModelServer();
  const asked = { MODEL_URL: model.url, MODEL_NAME: 'small', MODEL_KEY: 'a-key', MODEL_QUESTIONS_PER_HOUR: '4' };
  server = await startServer({ env: { ...asked, MODEL_TOKENS_PER_DAY: '5000', TIME_SCALE: '1' } });
  organization = await newOrganization(server);
  await askedSpace(server, { organization, word: 'wombat' }, '# Home\n\nA wombat digs.\n');
});
afterAll(async () => {
  await server.stop();
  await model.close();
});

const ask = (query: string, client: { post: StartedServer['post'] } = server, path = organization) =>
  client.post(`/v1/orgs/${path}/ask?format=markdown`, { query });

/** Begins to follow an answer. */
async function follow(path: string, query: string) {
  const response = await fetch(`${server.url}/v1/orgs/${path}/ask/stream?query=${encodeURIComponent(query)}`, {
    headers: { authorization: `Bearer ${server.token}` },
  });
  const reader = response.body?.getReader();
  const part = await reader?.read();
  return {
    status: response.status,
    first: eventsIn(new TextDecoder().decode(part?.value)),
    leave: () => reader?.cancel(),
  };
}

describe('what may be asked', () => {
  it('ends for a person with the questions of an hour, and for an organization with the tokens of a day', async () => {
    for (let at = 0; at < 4; at++) expect((await ask('wombat')).status).toBe(200);
    const refused = await ask('wombat');
    expect([refused.status, refused.body.error.reason]).toEqual([429, 'model_limit_reached']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const other = await newOrganization(server);
    const page = `# Home\n\n${'wombat '.repeat(600)}\n`;
    await askedSpace(server, { organization: other, word: 'wombat' }, page);
    const following = await follow(other, 'wombat ⟪hang⟫');
    const second = await ask('wombat', server, other);
    expect([following.status, second.status, second.body.error.message]).toEqual([
      200,
      429,
      expect.stringContaining('tokens of today'),
    ]);
    following.leave();
  });

  it('ends where the asker goes away: the model is left', async () => {
    const other = await newOrganization(server);
    await askedSpace(server, { organization: other, word: 'wombat' }, '# Home\n\nA wombat digs.\n');
    const { left } = model;
    const following = await follow(other, 'wombat ⟪hang⟫');
    expect(following.status).toBe(200);
    following.leave();
    await model.until(() => model.left > left);
  });
});

it('without a model, nothing is asked', async () => {
  const bare = await startServer();
  const own = await newOrganization(bare);
  for (const answer of [
    await ask('wombat', bare, own),
    await bare.get(`/v1/orgs/${own}/ask/stream?query=wombat`),
    await bare.get(`/v1/orgs/${own}/ask/questions`),
  ])
    expect([answer.status, answer.body.error.reason]).toEqual([412, 'model_not_configured']);
  await bare.stop();
});
