import { eventually } from '../../shared/testing/eventually.js';
import { newOrganization, newSpace, newUser, shared } from '../support/fixtures.js';
import { newSite, type Site } from '../support/site.js';
import { uploaded } from '../support/uploads.js';

const admin = shared();
let organization: string;
let space: string;
let site: Site;
beforeAll(async () => {
  organization = await newOrganization(admin);
  space = await newSpace(admin, organization);
  site = await newSite(organization, { spaces: [space] });
});

const runs = (of = organization) => `/v1/org/${of}/imports`;
const upload = (text: string, name = 'guide.md') =>
  uploaded(admin, organization, { kind: 'import_file', name, type: 'text/markdown', bytes: Buffer.from(text) });
const start = (input: object, client = admin) => client.post(runs(), { target: { space }, ...input });
const ended = (id: string) =>
  eventually(
    'the end of a run',
    async () => (await admin.get(`${runs()}/${id}`)).body,
    ({ status }) => status !== 'pending' && status !== 'in-progress',
  );
const ids = async (query = '', client = admin) =>
  (await client.get(`${runs()}${query}`)).body.items.map(({ id }: { id: string }) => id);

it('a run is started with an uploaded file, shown as it goes on, and listed by its space, site, state and change request', async () => {
  const { body: request } = await admin.post(`/v1/spaces/${space}/change-requests`, { subject: 'Import' });
  const key = await upload('# From a file\n');
  const target = { space, changeRequest: '1' };
  const { status, body: made } = await start({ source: { type: 'file', files: [key] }, target, enhance: false });
  expect([status, made]).toMatchObject([
    201,
    {
      object: 'import-run',
      source: { type: 'file', files: [key] },
      target: { space, changeRequest: request.id },
      urls: { location: `${admin.url}${runs()}/${made.id}` },
    },
  ]);
  expect(await ended(made.id)).toMatchObject({ status: 'completed', completedAt: expect.any(String) });
  const pages = `/v1/spaces/${space}/change-requests/${request.id}/content/pages`;
  expect((await admin.get(pages)).body.pages).toMatchObject([{ title: 'From a file' }]);

  const elsewhere = await newSpace(admin, organization);
  const other = await start({
    // Nothing listens there.
    source: { type: 'website', url: 'http://127.0.0.1:1/' },
    target: { space: elsewhere },
    site: site.id,
  });
  expect(await ended(other.body.id)).toMatchObject({ status: 'failed', reason: expect.any(String), site: site.id });
  for (const [query, found] of [
    ['', [other.body.id, made.id]],
    [`?space=${space}`, [made.id]],
    [`?changeRequest=${request.id}`, [made.id]],
    [`?site=${site.id}`, [other.body.id, made.id]],
    ['?status=active', []],
    [`?status=completed&space=${space}`, [made.id]],
  ] as const)
    expect([query, await ids(query)]).toEqual([query, found]);
  const page = (await admin.get(`${runs()}?limit=1`)).body;
  expect([page.count, page.next]).toEqual([2, { page: expect.any(String) }]);
  expect((await admin.get(`${runs()}/${made.id}/cancel`)).status).toBe(405);
  expect((await admin.post(`${runs()}/${made.id}/cancel`)).status).toBe(409);
  expect((await admin.get(`/v1/orgs/${organization}/imports/${made.id}`)).body).toMatchObject({ state: 'completed' });
});

it('a run is refused where an import into the space would be', async () => {
  const [reader, stranger] = [await newUser(admin, { organization, role: 'read' }), await newUser(admin)];
  const source = { type: 'website', url: 'https://example.com/' };
  expect((await start({ source }, reader.client)).status).toBe(403);
  expect((await start({ source }, stranger.client)).status).toBe(404);
  expect(await ids('', reader.client)).toEqual([]);
  const other = await newSpace(admin, await newOrganization(admin));
  const image = await upload('GIF', 'image.gif');
  for (const [body, status, message] of [
    [{ source, target: { space: other } }, 404, 'Space'],
    [{ source, site: 'site_unknown' }, 404, 'site: Site'],
    [{ source: { type: 'website', url: 'ftp://example.com/' } }, 400, 'url: '],
    [{ source: { type: 'file', files: [] } }, 400, 'source'],
    [{ source: { type: 'file', files: [image] } }, 400, 'source.files.0: '],
    [{ source: { type: 'file', files: ['import_file/unknown'] } }, 412, 'source.files.0: '],
  ] as const) {
    const answer = await start(body);
    expect([answer.status, answer.body.error?.message]).toEqual([status, expect.stringContaining(message)]);
  }
  expect((await admin.get(`${runs()}?site=site_unknown`)).status).toBe(404);
});
