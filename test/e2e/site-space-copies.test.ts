import { eventually } from '../../shared/testing/eventually.js';
import { newOrganization, newSpace, newUser, shared } from '../support/fixtures.js';
import { done } from '../support/requests/setting.js';
import { type FilledSite, filledSite, newSite, newSpaces, type Site } from '../support/site.js';

const admin = shared();
let organization: string;
let [a, b, c] = ['', '', ''];
beforeAll(async () => {
  organization = await newOrganization(admin);
  [a = '', b = '', c = ''] = await newSpaces(organization, 'a', 'b', 'c');
});

const copy = (site: Site, id: string) => site.ok('POST', `/site-spaces/${id}/duplicate`);
const sectionOf = async (site: Site, id: string) =>
  (await site.ok('GET', '/sections')).items.find((section: { id: string }) => section.id === id);

describe('a copy of a site space', () => {
  let filled: FilledSite;
  beforeAll(async () => {
    filled = await filledSite(organization, [a, b, c]);
  });

  it('that is alone in its section is in one of its own after it, for the same visitors and with the same looks', async () => {
    const { site, B, vb } = filled;
    const section = { icon: 'book', description: 'All of it', condition: 'visitor.claims.beta == true' };
    await site.ok('PATCH', `/sections/${B}`, section);
    await site.ok('PATCH', `/site-spaces/${vb}`, { condition: 'visitor.claims.plan == "pro"' });
    await site.ok('PATCH', `/site-spaces/${vb}/customization`, { themes: { default: 'dark' } });
    const made = await copy(site, vb);
    expect(made).toMatchObject({
      object: 'site-space',
      title: 'Copy of b',
      path: 'copy-of-b',
      default: true,
      condition: 'visitor.claims.plan == "pro"',
      space: { title: 'Copy of b', organization },
    });
    expect(await site.outline()).toBe('AA*(a*) DD(a*) GG[BB(b*) Copy of BB(Copy of b*) CC(c*)]');
    expect(await sectionOf(site, made.section)).toMatchObject({ ...section, path: 'copy-of-bb' });
    const looks = await site.ok('GET', `/site-spaces/${made.id}/customization`);
    expect(looks).toEqual(await site.ok('GET', `/site-spaces/${vb}/customization`));
    await site.ok('DELETE', `/sections/${made.section}`);
  });

  it('that is not alone stands beside it, and the default stays', async () => {
    const { site, A, va } = filled;
    await site.siteSpace(b, A);
    const [first, second] = [await copy(site, va), await copy(site, va)];
    expect([first.default, first.path, second.path]).toEqual([false, 'copy-of-a', 'copy-of-a-1']);
    expect(await site.outline()).toMatch(/^AA\*\(a\*,Copy of a,Copy of a,b\)/);
  });

  it('of a site without sections stands beside it', async () => {
    const site = await newSite(organization, { spaces: [a, c] });
    const [{ id }] = (await site.ok('GET', '/site-spaces')).items;
    await copy(site, id);
    expect(await site.outline()).toBe('a*,Copy of a,c');
  });

  it('takes the right on the site and on the space, and no draft is made', async () => {
    const maker = await newUser(admin, { organization, role: 'create' });
    const { site, va } = filled;
    const before = await site.outline();
    const spaces = async () => (await admin.get(`/v1/orgs/${organization}/spaces?limit=0`)).body.count;
    const held = await spaces();
    await done(admin.post(`/v1/spaces/${a}/permissions`, { role: 'read', users: [maker.id] }));
    const path = site.at(`/site-spaces/${va}/duplicate`);
    expect((await maker.client.post(path)).status).toBe(403);
    const draft = await admin.post(path, { draft: true });
    expect([draft.status, draft.body.error.message]).toEqual([
      400,
      'draft: must be false: no part of a site is a draft',
    ]);
    expect((await admin.post(site.at('/site-spaces/none/duplicate'))).status).toBe(404);
    expect([await site.outline(), await spaces()]).toEqual([before, held]);
  });
});

it('of a site space that is removed meanwhile is on the site, or leaves no space behind', async () => {
  const site = await newSite(organization, { spaces: [a, c] });
  const [{ id }] = (await site.ok('GET', '/site-spaces')).items;
  const spaces = async () => (await admin.get(`/v1/orgs/${organization}/spaces?limit=0`)).body.count;
  const held = await spaces();
  const [copied] = await Promise.all([
    site.send('POST', `/site-spaces/${id}/duplicate`),
    site.ok('DELETE', `/site-spaces/${id}`),
  ]);
  const isThere = copied.status === 201;
  expect([copied.status, await spaces(), await site.outline()]).toEqual([
    isThere ? 201 : 404,
    held + (isThere ? 1 : 0),
    isThere ? 'Copy of a*,c' : 'c*',
  ]);
});

it('the copy of a large space is shown when it is complete', async () => {
  const space = await newSpace(admin, organization, { title: 'Large', editMode: 'live' });
  const site = await newSite(organization);
  const { siteSpaces } = await site.section(space, 'Large');
  for (let batch = 0; batch < 11; batch++) {
    const page = { operation: 'insert_page', document: { markdown: 'Text' } };
    const changes = Array.from({ length: 50 }, (_, at) => ({ ...page, title: `Page ${batch}-${at}` }));
    await done(admin.post(`/v1/spaces/${space}/content`, { changes }));
  }
  const answer = await site.send('POST', `/site-spaces/${siteSpaces[0].id}/duplicate`);
  expect([answer.status, answer.body.object]).toEqual([202, 'site-space-copy']);
  expect(answer.headers.get('location')).toBe(`${admin.url}/v1/spaces/${answer.body.space}`);
  const isShown = (items: { id: string }[]) => items.some(({ id }) => id === answer.body.id);
  const shown = async () => (await site.ok('GET', '/site-spaces')).items;
  await eventually('the copy on the site', shown, isShown);
  expect(await site.outline()).toMatch(/Large\*\(Large\*\) Copy of Large\(Copy of Large\*\)$/);
});
