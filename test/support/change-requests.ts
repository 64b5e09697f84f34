import { walk } from './fixtures.js';
import { flatPages } from './repository.js';
import type { Client } from './server.js';

export const insert = (title: string, more: object = {}) => ({
  operation: 'insert_page',
  title,
  document: { markdown: `About ${title}.\n` },
  ...more,
});
export const rewrite = (page: string, markdown: string, more: object = {}) => ({
  operation: 'update_page',
  page,
  document: { markdown },
  ...more,
});

/** Writing, updating and merging change requests of a space, which a test may replace; other answers than those expected fail. */
export function changeRequestsOf(client: Client, of: { space: string }) {
  const at = (number: number | string, rest = '') => `/v1/spaces/${of.space}/change-requests/${number}${rest}`;
  const spaceNow = async () => (await client.get(`/v1/spaces/${of.space}`)).body;
  const requestNow = async (number: number | string) => (await client.get(at(number))).body;
  const newRequest = async (subject = 'A change'): Promise<number> =>
    (await client.post(`/v1/spaces/${of.space}/change-requests`, { subject })).body.number;
  const counts = async () => {
    const { changeRequests, changeRequestsOpen, changeRequestsDraft } = await spaceNow();
    return [changeRequests, changeRequestsOpen, changeRequestsDraft];
  };

  async function post(path: string, body: unknown, expected = 200): Promise<any> {
    const answer = await client.post(path, body);
    expect([answer.status, answer.status === expected ? '' : answer.body]).toEqual([expected, '']);
    return answer.body;
  }
  const live = (...changes: unknown[]) => post(`/v1/spaces/${of.space}/content`, { changes });
  const write = (number: number, ...changes: unknown[]) => post(at(number, '/content'), { changes });
  const merge = (number: number) => post(at(number, '/merge'), {});
  const update = (number: number, ...choices: unknown[]) => post(at(number, '/update'), { choices });
  const conflicts = async (number: number) => walk(client, at(number, '/conflicts'), 50);

  const pagesAt = async (path: string) => flatPages((await client.get(`${path}/pages`)).body.pages);
  const primaryPages = () => pagesAt(`/v1/spaces/${of.space}/content`);
  const requestPages = (number: number) => pagesAt(at(number, '/content'));
  const titles = async (pages: ReturnType<typeof primaryPages>) => (await pages).map(({ title }) => title);
  const idOf = async (title: string) => (await primaryPages()).find((page) => page.title === title)?.id as string;
  const sourceAt = async (path: string, page: string): Promise<string> =>
    (await client.get(`${path}/page/${page}?format=source`)).body.source;
  const primarySource = (page: string) => sourceAt(`/v1/spaces/${of.space}/content`, page);
  const revision = async (id: string) => (await client.get(`/v1/spaces/${of.space}/revisions/${id}`)).body;

  return {
    at,
    spaceNow,
    requestNow,
    newRequest,
    counts,
    post,
    live,
    write,
    merge,
    update,
    conflicts,
    primaryPages,
    requestPages,
    titles,
    idOf,
    primarySource,
    revision,
  };
}
