import { ContentWriter, document, inserted } from '../support/content-changes.js';
import { newOrganization, newSpace } from '../support/fixtures.js';
import { importInto, openRepositories, type Repositories } from '../support/repository.js';
import { type StartedServer, startServer, whileServing } from '../support/server.js';

const row = (at: number) => `|${at} a|b|c|d|e|f|g|h|\n`;
const rows = (length: number, from = 0) => {
  let text = '';
  for (let at = from; text.length < length; at++) text += row(at);
  return `# Slow ${from}\n\n|a|b|c|d|e|f|g|h|\n|-|-|-|-|-|-|-|-|\n${text}`;
};

let server: StartedServer;
let repositories: Repositories;
beforeAll(async () => {
  repositories = await openRepositories();
  // Answers are not checked, as users have it: checking 15 MB of a document holds up others, which answering does not.
  // A page that takes too long is waited for.
  const env = { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8', CHECK_RESPONSES: 'false', TIME_SCALE: '1' };
  server = await startServer({ env });
});
afterAll(async () => {
  await server.stop();
  await repositories.close();
});

const whileHealthy = <T>(work: () => Promise<T>): Promise<T> =>
  whileServing(server, async () => expect((await server.get('/healthz', { token: null })).status).toBe(200), work);

const read = (space: string, query = '') => server.get(`/v1/spaces/${space}/content/path/slow${query}`);

/** Reads a document without parsing it, which would hold up this process. */
async function received(path: string): Promise<{ status: number; bytes: number }> {
  const headers = { authorization: `Bearer ${server.token}` };
  const { status, body } = await fetch(`${server.url}${path}?format=document`, { headers });
  let bytes = 0;
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) bytes += chunk.length;
  return { status, bytes };
}

async function space(name: string, files: Record<string, string>, organization?: string) {
  await repositories.commit(name, files);
  const id = await newSpace(server, organization ?? (await newOrganization(server)));
  return { id, url: `${repositories.url}/${name}.git` };
}

test('while one organization imports hundreds of slow pages, others import and read', async () => {
  const slow = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`slow-${at}.md`, rows(400_000, at * 1e6)]));
  const hostile = await space('hostile', { 'README.md': '# Hostile\n', ...slow });
  await server.post(`/v1/spaces/${hostile.id}/git/import`, { url: hostile.url, ref: 'refs/heads/main' });
  await whileHealthy(async () => {
    const honest = await space('honest', { 'README.md': '# Home\n', 'slow.md': '# Page\n\nSome words.\n' });
    expect(await importInto(server, honest.id, { url: honest.url })).toMatchObject({ state: 'success' });
    for (const query of ['?format=markdown', '?format=document']) {
      const { status, body } = await read(honest.id, query);
      expect([status, JSON.stringify(body)]).toEqual([200, expect.stringContaining('Some words.')]);
    }
  });
  const { operation } = (await server.get(`/v1/spaces/${hostile.id}/git/info`)).body;
  expect(operation.state).toBe('running');
  await server.delete(`/v1/spaces/${hostile.id}`);
});

test('an import fails with the name of the page that takes too much, and leaves the content as it was', async () => {
  const { id, url } = await space('too-much', { 'README.md': '# Home\n' });
  await importInto(server, id, { url });
  const before = (await server.get(`/v1/spaces/${id}/content`)).body.id;
  await repositories.commit('too-much', { 'other.md': '# Other\n', 'deep/guilty.md': rows(1_900_000) });
  const operation = await whileHealthy(() => importInto(server, id, { url }));
  expect(operation).toMatchObject({
    state: 'failure',
    error: expect.stringMatching(/^deep\/guilty\.md: needs more (time|memory)/),
  });
  expect((await server.get(`/v1/spaces/${id}/content`)).body.id).toBe(before);
  await repositories.commit('too-much', { 'deep/guilty.md': '# Small again\n' });
  expect(await importInto(server, id, { url })).toMatchObject({ state: 'success' });
});

test('a page whose document is huge is read, or refused with 422 or 503, while health keeps answering', async () => {
  const { id, url } = await space('huge', {
    'README.md': '# Home\n',
    'slow.md': rows(140_000),
    'plain.md': '# Plain\n',
  });
  expect(await importInto(server, id, { url })).toMatchObject({ state: 'success' });
  const answers = await whileHealthy(() =>
    Promise.all(Array.from({ length: 8 }, () => received(`/v1/spaces/${id}/content/path/slow`))),
  );
  expect(answers.every(({ status }) => [200, 422, 503].includes(status))).toBe(true);
  for (const { status, bytes } of answers) if (status === 200) expect(bytes).toBeGreaterThan(10_000_000);
  expect((await server.get(`/v1/spaces/${id}/content/path/plain?format=document`)).status).toBe(200);
});

test('a batch of 32 MB of documents is taken, or refused where its machine is too busy for it', async () => {
  const writer = await ContentWriter.onNew(server, await newOrganization(server));
  const source = `A paragraph with *emphasis* and ${'many words of a manual '.repeat(20)}.\n\n`.repeat(3800);
  const changes = Array.from({ length: 16 }, (_, each) => inserted(`P${each}`, document(`${each}.\n\n${source}`)));
  const { status } = await writer.send({ changes });
  if (status === 200) return expect(await writer.pages()).toHaveLength(changes.length);
  expect([503, 504]).toContain(status);
});
