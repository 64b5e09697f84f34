import { ContentWriter, deleted, document, inserted, updated } from '../support/content-changes.js';
import { newOrganization, newSpace, shared } from '../support/fixtures.js';
import { linksAt, listed, shownLink, shownLocation } from '../support/links.js';
import { openRepositories, type Repositories } from '../support/repository.js';

const client = shared();
let organization: string;
let repositories: Repositories;
let writer: ContentWriter;
beforeAll(async () => {
  organization = await newOrganization(client);
  repositories = await openRepositories();
});
afterAll(() => repositories.close());
beforeEach(async () => {
  writer = await ContentWriter.onImported({ client, organization, repositories }, `links-${Math.random()}`, {
    'SUMMARY.md': '* [Home](README.md)\n* [Guide](guide.md)\n* [Other](other.md)\n',
    'README.md': '# Home\n\n[guide](guide.md) [one](guide.md#one) [old](old.md) ![a](.gitbook/assets/a.png)\n',
    'guide.md': '# Guide\n\n## One\n',
    'other.md': '# Other\n\n[guide](guide.md) [old](old.md)\n',
    '.gitbook/assets/a.png': 'a',
  });
});

const broken = (items: any[]) =>
  items.map(shownLink).flatMap(({ status, url, places }) => (status === 'broken' ? [[url, ...places]] : []));
const pageLinks = async (title: string) =>
  listed(client, `${writer.path}/content/page/${await writer.named(title)}/links`);

it('a link to a page that the change request deletes is newly broken', async () => {
  await writer.apply(deleted(await writer.named('Guide')));
  const { stats, items } = await listed(client, `${writer.path}/links`);
  expect(broken(items)).toEqual([
    ['guide.md', 'page Home', 'page Other'],
    ['guide.md#one', 'page Home'],
    ['old.md', 'page Home', 'page Other'],
  ]);
  expect(stats).toEqual({ total: 4, broken: { total: 3, changeRequest: 2 } });
  const inContext = async (context: string) => {
    const list = await listed(client, `${writer.path}/links?brokenContext=${context}`);
    return [list.count, list.stats.total, list.items.map(({ url }: any) => url)];
  };
  expect(await inContext('change-request')).toEqual([2, 4, ['guide.md', 'guide.md#one']]);
  expect(await inContext('space')).toEqual([1, 4, ['old.md']]);
  const none = await listed(client, `${writer.path}/links?brokenContext=space&status=ok`);
  expect([none.count, none.items]).toEqual([0, []]);
  expect((await listed(client, `/v1/spaces/${writer.space}/links`)).stats).toEqual({ total: 4, broken: { total: 1 } });
  expect((await pageLinks('Other')).stats).toEqual({ total: 2, broken: { total: 2, changeRequest: 1 } });
});

it('a link to an anchor that the change request removes is newly broken, and one that it writes anew', async () => {
  await writer.apply(updated(await writer.named('Guide'), document('# Guide\n\n## Two\n')));
  await writer.apply(updated(await writer.named('Other'), document('# Other\n\n[here](#nowhere) ![](/files/none)\n')));
  const { items, stats } = await listed(client, `${writer.path}/links?brokenContext=change-request`);
  expect(broken(items).map(([url]) => url)).toEqual(['guide.md#one', '#nowhere']);
  expect(stats.broken).toEqual({ total: 3, changeRequest: 2 });
});

it('a page that is moved and renamed keeps the links to it', async () => {
  const [home, guide] = [await writer.named('Home'), await writer.named('Guide')];
  await writer.apply(updated(guide, { title: 'Manual', slug: 'manual', into: home }));
  const links = await linksAt(client, `${writer.path}/content/page/${home}/links`);
  expect([links['guide.md']?.target, links['guide.md#one']?.target]).toEqual(['page Manual', 'page Manual#one']);
  const { items } = await listed(client, `${writer.path}/content/page/${guide}/backlinks`);
  expect(items.map(shownLocation)).toEqual(['page Home', 'page Other']);
});

it('places name the change request, and pages that it inserts have links', async () => {
  const guide = await writer.named('Guide');
  const [added] = await writer.insert(inserted('Added', document(`## Start\n\n[guide](/pages/${guide}#one)\n`)));
  const { items } = await listed(client, `${writer.path}/content/page/${guide}/backlinks`);
  expect(items.map(shownLocation)).toEqual(['page Home', 'page Other', 'page Added#start']);
  const state = await writer.state();
  expect(items[2]).toMatchObject({
    versionContext: { type: 'changeRequest', changeRequest: { id: writer.id, number: state.number } },
    page: { id: added },
  });
  const links = await linksAt(
    client,
    `/v1/spaces/${writer.space}/change-requests/${state.number}/content/page/${added}/links`,
  );
  expect(links).toMatchObject({ [`/pages/${guide}#one`]: { status: 'ok', target: 'page Guide#one' } });
  const current = await client.get(`/v1/spaces/${writer.space}/content/page/${added}/links`);
  expect(current.status).toBe(404);
});

it('files of a change request have backlinks', async () => {
  const [file] = await writer.files();
  await writer.apply(updated(await writer.named('Other'), document(`# Other\n\n![](/files/${file.id})\n`)));
  const { items } = await listed(client, `${writer.path}/content/files/${file.id}/backlinks`);
  expect(items.map(shownLocation)).toEqual(['a.png in Home', 'a.png in Other']);
  const here = await listed(client, `/v1/spaces/${writer.space}/content/files/${file.id}/backlinks`);
  expect(here.items.map(shownLocation)).toEqual(['a.png in Home']);
});

it('a merged change request keeps what was newly broken, and the space has it', async () => {
  await writer.apply(deleted(await writer.named('Guide')));
  expect((await client.post(`${writer.path}/merge`)).body.result).toBe('merge');
  const merged = await listed(client, `${writer.path}/links?brokenContext=change-request`);
  expect([merged.count, merged.stats.broken]).toEqual([2, { total: 3, changeRequest: 2 }]);
  expect((await listed(client, `/v1/spaces/${writer.space}/links?status=broken`)).count).toBe(3);
});

it.each([
  ['brokenContext=none', 400],
  ['brokenContext=', 400],
  ['status=x', 400],
  ['limit=2000', 400],
])('refuses %s', async (query, expected) => {
  const { status, body } = await client.get(`${writer.path}/links?${query}`);
  expect([status, body.error.message]).toEqual([expected, expect.stringContaining(query.split('=')[0] as string)]);
});

it('is found in its space only', async () => {
  const other = await newSpace(client, organization);
  for (const path of ['links', 'content/page/x/links', 'content/page/x/backlinks', 'content/files/x/backlinks']) {
    const { status, body } = await client.get(`/v1/spaces/${other}/change-requests/${writer.id}/${path}`);
    expect([status, body.error.message]).toEqual([404, expect.stringMatching(/^Change request not found/)]);
  }
});
