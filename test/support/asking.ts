import type { ModelServerRequest } from '../../shared/model/testing/model-server.js';
import { eventually } from '../../shared/testing/eventually.js';
import { newSpace } from './fixtures.js';
import type { Client } from './server.js';

/** What the model of the tests was sent, of all that holds a text. */
export async function promptsWith(text: string, model = String(process.env.BINDERY_TEST_MODEL)): Promise<string[]> {
  const requests = (await (await fetch(`${model}/requests`)).json()) as ModelServerRequest[];
  const prompts = requests.map(({ messages }) => messages.map(({ content }) => content).join('\n'));
  return prompts.filter((prompt) => prompt.includes(text));
}

/** The data of the events of a stream. */
export const eventsIn = (stream: string): any[] =>
  stream.split('\n\n').flatMap((event) => (event.startsWith('data: ') ? [JSON.parse(event.slice(6))] : []));

/** A space of mode `live` with pages in Markdown, once a search finds the word in the last of them. */
export async function askedSpace(
  client: Client,
  { organization, word, ...input }: { organization: string; word: string; title?: string },
  ...pages: string[]
): Promise<string> {
  const space = await newSpace(client, organization, { editMode: 'live', ...input });
  const changes = pages.map((markdown) => ({ operation: 'insert_page', document: { markdown } }));
  const { status, body } = await client.post(`/v1/spaces/${space}/content`, { changes });
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  await eventually(
    `a page with ${word}`,
    async () => (await client.get(`/v1/spaces/${space}/search?query=${word}`)).body,
    ({ count }) => count > 0,
  );
  return space;
}
