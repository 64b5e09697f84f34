import { newOrganization, newSpace, shared } from '../support/fixtures.js';
import { flatPages, openRepositories, type Repositories, type ShownPage } from '../support/repository.js';

const client = shared();
let organization: string;
let repositories: Repositories;
beforeAll(async () => {
  organization = await newOrganization(client);
  repositories = await openRepositories();
});
afterAll(() => repositories.close());

interface Request {
  space: string;
  id: string;
  path: string;
}

async function newRequest(space: string): Promise<Request> {
  const { body } = await client.post(`/v1/spaces/${space}/change-requests`, { subject: 'Changes' });
  return { space, id: body.id, path: `/v1/spaces/${space}/change-requests/${body.id}` };
}

const onEmpty = async () => newRequest(await newSpace(client, organization));

/** Applies changes that must be taken; the full answer. */
async function apply({ path }: Request, ...changes: unknown[]): Promise<any> {
  const { status, body } = await client.post(`${path}/content?compat=false`, { changes });
  expect([status, status === 200 ? '' : body]).toEqual([200, '']);
  return body;
}

const tree = async ({ space, path }: Request): Promise<ShownPage[]> => {
  const { revision } = (await client.get(path)).body;
  return (await client.get(`/v1/spaces/${space}/revisions/${revision}/pages`)).body.pages;
};
const outline = (pages: ShownPage[]): any[] =>
  pages.map(({ title, path, pages: below = [] }) => (below.length > 0 ? [title, path, outline(below)] : [title, path]));
const page = async (request: Request, id: string, query = 'format=source'): Promise<any> => {
  const { revision } = (await client.get(request.path)).body;
  return (await client.get(`/v1/spaces/${request.space}/revisions/${revision}/page/${id}?${query}`)).body;
};
const markdown = (text: string) => ({ markdown: text });
const insert = (title: string, more: object = {}) => ({
  operation: 'insert_page',
  title,
  document: markdown(`About ${title}.\n`),
  ...more,
});

describe('pages', () => {
  it('are inserted with their titles, slugs, places and metadata', async () => {
    const request = await onEmpty();
    const { changes } = await apply(request, insert('One'), insert('One', { at: 0 }));
    const [one] = changes.map(({ page }: any) => page.id);
    await apply(
      request,
      insert('ignored', { into: one, document: markdown('# A heading\n\nText.\n'), slug: 'Mine Own' }),
      insert('ignored', {
        into: one,
        at: 0,
        document: markdown('---\ntitle: Front\ndescription: Mine\nhidden: true\n---\n# Not this\n'),
        description: 'Not this',
        icon: 'bolt',
      }),
    );
    expect(outline(await tree(request))).toEqual([
      ['One', 'one-1'],
      [
        'One',
        'one',
        [
          ['Front', 'one/front'],
          ['A heading', 'one/mine-own'],
        ],
      ],
    ]);
    const front = flatPages(await tree(request)).find(({ title }) => title === 'Front') as ShownPage;
    expect(front).toMatchObject({ description: 'Mine', icon: 'bolt', hidden: true });
    expect((await page(request, front.id)).source).toBe(
      '---\ntitle: Front\ndescription: Mine\nhidden: true\nicon: bolt\n---\n# Not this\n',
    );
  });
});
