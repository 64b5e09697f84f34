import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openModelServer } from '../../shared/model/testing/model-server.js';
import { eventually } from '../../shared/testing/eventually.js';
import { askedSpace } from '../support/asking.js';
import { newOrganization } from '../support/fixtures.js';
import { startServer } from '../support/server.js';

it('a translation goes on where its process was killed, and asks for nothing twice', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'bindery-translation-'));
  const model = await openModelServer();
  const env = { MODEL_URL: model.url, MODEL_NAME: 'small' };
  const killed = await startServer({ dataDir, env });
  const organization = await newOrganization(killed);
  const pages = ['# One\n\nThe first text.\n', '# Two\n\nThe second text.\n', '# Three\n\nThe third text ⟪wait⟫.\n'];
  const space = await askedSpace(killed, { organization, word: 'third' }, ...pages);
  const translations = `/v1/orgs/${organization}/translations`;
  const { body } = await killed.post(translations, { source: { space, language: 'en' }, languages: ['fr'] });
  const requestsWith = (text: string) =>
    model.requests.filter(({ messages }) => messages.some(({ content }) => content.includes(text)));
  await model.until(() => requestsWith('The third text').length > 0);
  expect((await killed.get(`${translations}/${body.id}`)).body.status).toBe('running');
  await killed.kill();

  const server = await startServer({ dataDir, env });
  await model.until(() => requestsWith('The third text').length > 1);
  const releasing = setInterval(() => model.release(), 20);
  const { results } = await eventually(
    'the end of the translation',
    async () => (await server.get(`${translations}/${body.id}`)).body,
    ({ status }) => status === 'completed',
  ).finally(() => clearInterval(releasing));
  expect(results).toMatchObject([{ language: 'fr', pages: 3, kept: 0 }]);
  const { body: content } = await server.get(`/v1/spaces/${results[0].space}/content`);
  expect(content.pages.map(({ title }: any) => title)).toEqual(['ONE', 'TWO', 'THREE']);
  expect([requestsWith('The first text').length, requestsWith('The second text').length]).toEqual([1, 1]);
  await server.stop();
  await model.close();
  await rm(dataDir, { recursive: true });
});
