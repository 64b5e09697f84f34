import { newOrganization, newSpace, newUser, shared } from '../support/fixtures.js';
import { done } from '../support/requests/setting.js';
import { newSite } from '../support/site.js';

const admin = shared();
const ids: Record<string, string> = {};
beforeAll(async () => {
  const organization = await newOrganization(admin);
  const collection = (await done(admin.post(`/v1/orgs/${organization}/collections`, { title: 'C' }))).id;
  const space = await newSpace(admin, organization, { parent: collection, template: { id: 'documentation' } });
  const { pages } = await done(admin.get(`/v1/spaces/${space}/content/pages`));
  const request = await done(admin.post(`/v1/spaces/${space}/change-requests`, { subject: 'A change' }));
  const site = await newSite(organization);
  await site.siteSpace(await newSpace(admin, organization));
  await site.siteSpace(space);
  const shown = (await done(admin.get(site.at('/site-spaces')))).items.find((each: any) => each.space.id === space);
  Object.assign(ids, { organization, collection, space, page: pages[0].id, request: request.id });
  Object.assign(ids, { number: String(request.number), site: site.id, path: shown.path });
  const child = pages.flatMap(({ pages: below = [] }: any) => below).find(({ path }: any) => path.endsWith('install'));
  Object.assign(ids, { child: child.id, childPath: child.path });
});

const filled = (text: string) => `${admin.url}${text.replace(/\{(\w+)\}/g, (_, name) => ids[name] as string)}`;
const resolve = (url: string, client = admin) => client.get(`/v1/urls/content?url=${encodeURIComponent(url)}`);

describe('an address leads to the content that it names:', () => {
  it.each<[string, { collection?: string; space?: string; changeRequest?: string; page?: string }]>([
    ['/app/c/{collection}', { collection: 'collection' }],
    ['/v1/collections/{collection}', { collection: 'collection' }],
    ['/app/s/{space}', { space: 'space' }],
    ['/app/s/{space}/~/settings', { space: 'space' }],
    ['/app/s/{space}/{childPath}#part', { space: 'space', page: 'child' }],
    ['/app/s/{space}/{child}', { space: 'space', page: 'child' }],
    ['/app/s/{space}/~/edit/{childPath}', { space: 'space', page: 'child' }],
    ['/app/s/{space}/~/changes', { space: 'space' }],
    ['/app/s/{space}/~/changes/{number}', { space: 'space', changeRequest: 'request' }],
    [
      '/app/s/{space}/~/changes/{number}/~/read/{childPath}',
      { space: 'space', changeRequest: 'request', page: 'child' },
    ],
    ['/v1/spaces/{space}', { space: 'space' }],
    ['/v1/spaces/{space}/content/page/{page}', { space: 'space', page: 'page' }],
    ['/v1/spaces/{space}/content/path/{childPath}', { space: 'space', page: 'child' }],
    ['/v1/spaces/{space}/change-requests/{request}', { space: 'space', changeRequest: 'request' }],
    [
      '/v1/spaces/{space}/change-requests/{request}/content/page/{child}',
      { space: 'space', changeRequest: 'request', page: 'child' },
    ],
    ['/sites/{site}/{path}', { space: 'space' }],
    ['/sites/{site}/{path}/{childPath}?x=1', { space: 'space', page: 'child' }],
    [
      '/sites/{site}/{path}/~/changes/{number}/{childPath}',
      { space: 'space', changeRequest: 'request', page: 'child' },
    ],
  ])('%s', async (text, expected) => {
    const { status, body } = await resolve(filled(text));
    const found = Object.fromEntries(Object.entries(body).map(([kind, { id }]: any) => [kind, id]));
    const wanted = Object.fromEntries(Object.entries(expected).map(([kind, name]) => [kind, ids[name as string]]));
    expect([status, found]).toEqual([200, wanted]);
  });
});

it.each([
  '/app',
  '/app/c/none',
  '/app/s/none',
  '/app/s/{space}/no-such-page',
  '/app/s/{space}/~/changes/77',
  '/v1/spaces/{collection}',
  '/sites/site_none',
  '/sites/{site}/{path}/no-such-page',
])('%s leads nowhere', async (text) => {
  expect((await resolve(filled(text))).status).toBe(404);
});

it('what the caller may not read is not there, nor what is in the trash', async () => {
  const stranger = await newUser(admin);
  for (const text of ['/app/c/{collection}', '/app/s/{space}', '/sites/{site}/{path}'])
    expect((await resolve(filled(text), stranger.client)).status).toBe(404);
  expect((await resolve('https://other.example/app/s/x')).status).toBe(404);
  const gone = await newSpace(admin, ids.organization as string);
  await done(admin.delete(`/v1/spaces/${gone}`));
  expect((await resolve(filled(`/app/s/${gone}`))).status).toBe(404);
});

it.each(['', 'nothing', 'ftp://example.com/', 'javascript:alert(1)', `https://example.com/${'x'.repeat(2048)}`])(
  '%p is refused',
  async (url) => {
    const { status, body } = await resolve(url);
    expect([status, body.error.message]).toEqual([400, expect.stringContaining('url')]);
  },
);
