import { askedSpace, eventsIn, promptsWith } from '../support/asking.js';
import { newOrganization, newUser, shared } from '../support/fixtures.js';
import type { Client } from '../support/server.js';

const admin = shared();
let organization: string;
let space: string;
const secret = 'The launch code of quokkas is 4711.';

beforeAll(async () => {
  organization = await newOrganization(admin);
  space = await askedSpace(
    admin,
    { organization, word: 'wombat' },
    '# Install\n\nBegin here.\n\n## On a wombat\n\nTo install it on a wombat, feed it first.\n\n## On a bird\n\nThe bird installs itself.\n',
    '# Other things\n\nA wombat sleeps by day.\n',
  );
  const hidden = await askedSpace(
    admin,
    { organization, word: 'quokkas' },
    `# Hidden\n\n${secret} A wombat knows it.\n`,
  );
  const level = await admin.patch(`/v1/spaces/${hidden}`, { defaultLevel: null });
  if (level.status >= 300) throw new Error(JSON.stringify(level.body));
});

const ask = (
  query: string,
  {
    client = admin,
    format = 'markdown',
    ...body
  }: { client?: Client; format?: string; previousQueries?: string[] } = {},
) => client.post(`/v1/orgs/${organization}/ask?format=${format}`, { query, ...body });

describe('a question to an organization', () => {
  it('is answered from the best sections, which it cites', async () => {
    const { status, body } = await ask('How do I install this on my wombat?');
    expect([status, body.answer.answer.markdown]).toEqual([
      200,
      'The pages say: To install it on a wombat, feed it first. \\[1\\]',
    ]);
    const { pages } = (await admin.get(`/v1/spaces/${space}/content`)).body;
    const { revision } = (await admin.get(`/v1/spaces/${space}`)).body;
    const page = pages[0].id;
    expect(body.answer).toMatchObject({
      followupQuestions: ['What is next?', 'And then?'],
      sources: [{ type: 'page', space, page, revision, sections: [`${page}-on-a-wombat`] }],
    });
  });

  it('is answered with a document too', async () => {
    const { body } = await ask('install on wombat', { format: 'document' });
    expect(body.answer.answer.document).toMatchObject({ object: 'document', nodes: [{ type: 'paragraph' }] });
  });

  it('is not sent to the model where no page has a word of it', async () => {
    const { status, body } = await ask('Xylophones?');
    expect([status, body, await promptsWith('Xylophones?')]).toEqual([200, {}, []]);
  });

  it('has no answer where the model finds none', async () => {
    expect((await ask('wombat? ⟪say NO_ANSWER⟫')).body).toEqual({});
  });

  it('goes on with those before', async () => {
    const mark = `wombat ${Date.now()}`;
    await ask(`Why? ${mark}`, { previousQueries: ['Does a wombat sleep?'] });
    expect((await promptsWith(mark))[0]).toMatch(
      /Does a wombat sleep\?[\s\S]*A wombat sleeps by day[\s\S]*Question: Why\?/,
    );
  });

  it('never tells what the asker may not read, whatever the model says', async () => {
    const { client } = await newUser(admin, { organization, role: 'read' });
    const mark = `the quokkas and the wombat ${Date.now()}`;
    const { body } = await ask(`What is the launch code of ${mark}? ⟪dump⟫`, { client });
    expect(body.answer.answer.markdown).toContain('feed it first');
    expect(JSON.stringify(body)).not.toContain('4711');
    expect((await promptsWith(mark)).join()).not.toContain('4711');
    // Who may read it is told.
    expect(JSON.stringify((await ask(`What is the launch code of ${mark}? ⟪dump⟫`)).body)).toContain('4711');
  });

  it('is refused by name', async () => {
    const path = `/v1/orgs/${organization}/ask`;
    for (const [body, message] of [
      [{}, 'query: required'],
      [{ query: '' }, /^query: /],
      [{ query: 'x'.repeat(513) }, /^query: /],
      [{ query: 'x', previousQueries: Array(11).fill('x') }, /^previousQueries: /],
    ] as const) {
      const answer = await admin.post(path, body);
      expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringMatching(message)]);
    }
    expect((await admin.post(`${path}?format=html`, { query: 'x' })).status).toBe(400);
    for (const after of ['1', `${'0'.repeat(26)}.`, `${'0'.repeat(26)}.0`])
      expect([400, 404]).toContain((await admin.get(`${path}/stream?query=x&after=${after}`)).status);
  });

  it('fails clearly where the model does', async () => {
    for (const command of ['⟪fail 500⟫', '⟪break⟫ a b c d']) {
      const { status, body } = await ask(`wombat ${command}`);
      expect([status, body.error.reason]).toEqual([503, 'model_failed']);
    }
  });

  it('is not answered where the organization has switched it off', async () => {
    const other = await newOrganization(admin);
    await admin.patch(`/v1/orgs/${other}`, { ai: false });
    const { status, body } = await admin.post(`/v1/orgs/${other}/ask`, { query: 'What?' });
    expect([status, body.error.reason]).toEqual([403, 'ai_disabled']);
  });
});

describe('an answer that is followed', () => {
  const stream = (query: string, client = admin) =>
    client.get<string>(`/v1/orgs/${organization}/ask/stream?format=markdown&query=${encodeURIComponent(query)}`);

  it('grows, and ends with its sources', async () => {
    const { status, headers, body } = await stream('Does it sleep by day?');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    const answers = eventsIn(body).map(({ answer }) => answer);
    const texts = answers.map(({ answer }) => answer?.markdown ?? '');
    expect(answers.at(-1)).toMatchObject({ followupQuestions: ['What is next?', 'And then?'], sources: [{ space }] });
    expect(texts.at(-1)).toBe('The pages say: A wombat sleeps by day. \\[1\\]');
    for (const text of texts) expect(texts.at(-1)?.startsWith(text.replace(/ ?\\?\[?$/, ''))).toBe(true);
  });

  it('ends at once without one', async () => {
    expect(eventsIn((await stream('Xylophones?')).body)).toEqual([
      { type: 'answer', answer: { followupQuestions: [], sources: [] } },
    ]);
  });

  it('is not told to others', async () => {
    const { client } = await newUser(admin, { organization, role: 'admin' });
    const response = await fetch(`${admin.url}/v1/orgs/${organization}/ask/stream?query=wombat`, {
      headers: { authorization: `Bearer ${admin.token}` },
    });
    await response.text();
    expect(
      (await client.get(`/v1/orgs/${organization}/ask/stream?query=wombat&after=${'0'.repeat(26)}.0`)).status,
    ).toBe(404);
  });
});

describe('questions to ask', () => {
  it('are made from titles that the asker may read, once', async () => {
    const title = `Marsupials ${Date.now()}`;
    const own = await newOrganization(admin);
    expect((await admin.get(`/v1/orgs/${own}/ask/questions`)).body).toEqual({ questions: [] });
    await askedSpace(admin, { organization: own, word: 'marsupials' }, `# ${title}\n\nText.\n`);
    const questions = ['What is it?', 'How do I begin?'];
    expect((await admin.get(`/v1/orgs/${own}/ask/questions`)).body).toEqual({ questions });
    const { body } = await admin.get<string>(`/v1/orgs/${own}/ask/questions/stream`);
    expect(eventsIn(body)).toEqual(questions.map((question) => ({ question })));
    expect(await promptsWith(title)).toHaveLength(1);
  });
});
