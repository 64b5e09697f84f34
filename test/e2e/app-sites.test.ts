import { type AppPerson, personWith } from '../support/app-person.js';
import { type NewUser, newOrganization, newSpace, newUser, shared } from '../support/fixtures.js';
import { TrackedSite } from '../support/insights/tracked-site.js';
import { writePages } from '../support/shown-sites.js';

const admin = shared();
let organization: string;
let space: string;
/** The id of its second page. */
let install: string;
let writer: NewUser;
let writing: AppPerson;
let reading: AppPerson;
beforeAll(async () => {
  organization = await newOrganization(admin);
  space = await newSpace(admin, organization, { title: 'Guide' });
  const pages = { Welcome: 'Here it begins.', Install: 'Then it goes on.' };
  install = (await writePages(admin, space, pages))[1] as string;
  const reader = await newUser(admin, { organization, role: 'read' });
  writer = await newUser(admin, { organization, role: 'create' });
  [writing, reading] = await Promise.all([personWith(admin, writer.token), personWith(admin, reader.token)]);
});

const sitesOf = async (title: string) =>
  (await admin.get(`/v1/orgs/${organization}/sites?title=${encodeURIComponent(title)}`)).body.items;

/** Publishes the space as a site of this title; answers its id. */
async function publish(title: string, fields: Record<string, string> = {}): Promise<string> {
  await writing.open(`/app/s/${space}/~/publish`);
  await writing.submit({ action: 'publish' }, { title, ...fields });
  const [site] = await sitesOf(title);
  return site.id;
}

describe('publishing a space', () => {
  it('takes a link of its menu and a button, and shows an address that opens', async () => {
    await writing.open(`/app/s/${space}`);
    const way = `/app/s/${space}/~/publish`;
    expect(writing.links()).toContain(way);
    await writing.open(way);
    await writing.submit({ action: 'publish' });
    const [site] = await sitesOf('Guide');
    expect([site.published, site.visibility, site.siteSpaces]).toEqual([true, 'public', 1]);
    expect([writing.status, writing.path]).toEqual([200, `/app/o/${organization}/sites/${site.id}?done=published`]);
    expect(writing.notices).toEqual(['Published.']);
    expect(writing.links()).toContain(site.urls.published);
    const visit = await fetch(site.urls.published);
    expect([visit.status, await visit.text()]).toEqual([200, expect.stringContaining('Here it begins.')]);
    await writing.open(way);
    expect(writing.text).toMatch(/Shown by these sites .*Guide/);
  });

  it('is unpublished and published again by a button each', async () => {
    const id = await publish('Shortly');
    await writing.submit({ action: 'unpublish' });
    const [hidden] = await sitesOf('Shortly');
    expect([hidden.published, writing.notices]).toEqual([false, ['Unpublished.']]);
    expect(writing.text).toContain('Nobody sees the site yet.');
    expect((await fetch(`${admin.url}/sites/${id}/`)).status).toBe(404);
    await writing.submit({ action: 'publish' });
    expect((await sitesOf('Shortly'))[0].published).toBe(true);
  });

  it('refuses what is no title and no visibility, and keeps what was typed', async () => {
    await writing.open(`/app/s/${space}/~/publish`);
    await writing.submit({ action: 'publish' }, { title: 'x', visibility: 'unlisted' });
    expect([writing.status, writing.notices]).toEqual([400, [expect.stringContaining('title')]]);
    expect(writing.screen.form('publish').fields).toMatchObject({ title: 'x', visibility: 'unlisted' });
    await writing.submit({ action: 'publish' }, { title: 'Nothing', visibility: 'all' });
    expect([writing.status, writing.notices]).toEqual([400, ['visibility: required']]);
    expect(await sitesOf('Nothing')).toEqual([]);
  });

  it('says on its own screen when a site that was made is not published', async () => {
    const { id } = (await admin.post(`/v1/orgs/${organization}/sites`, { title: 'Half', spaces: [space] })).body;
    await writing.open(`/app/o/${organization}/sites/${id}?unpublished`);
    expect(writing.notices).toEqual([expect.stringContaining('could not be published. Publish it here.')]);
    await writing.submit({ action: 'publish' });
    await writing.open(`/app/o/${organization}/sites/${id}?unpublished`);
    expect(writing.notices).toEqual([]);
  });

  it('adds the space to a site that exists', async () => {
    const { id } = (await admin.post(`/v1/orgs/${organization}/sites`, { title: 'Collected' })).body;
    await writing.open(`/app/s/${space}/~/publish`);
    await writing.submit({ action: 'add' }, { site: id });
    expect([writing.status, writing.notices]).toEqual([200, ['The space is added to the site.']]);
    expect(writing.links()).toContain(`/app/s/${space}`);
    expect((await sitesOf('Collected'))[0].siteSpaces).toBe(1);
  });

  it('is no offer to those who may only read, whose forms are refused', async () => {
    await reading.open(`/app/s/${space}`);
    expect(reading.links()).not.toContain(`/app/s/${space}/~/publish`);
    await reading.open(`/app/s/${space}/~/publish`);
    expect(reading.text).toContain('you need the right to administer this space');
    expect(reading.offers()).toEqual(new Set(['sign-out']));
    const lost = await newUser(admin, { organization, role: 'create' });
    const losing = await personWith(admin, lost.token);
    await losing.open(`/app/s/${space}/~/publish`);
    await admin.patch(`/v1/orgs/${organization}/members/${lost.id}`, { role: 'read' });
    await losing.submit({ action: 'publish' }, { title: 'Forbidden' });
    expect(losing.status).toBe(403);
    expect(losing.notices).toContainEqual(expect.stringMatching(/right|role/));
    expect(await sitesOf('Forbidden')).toEqual([]);
  });
});

describe('the sites of an organization', () => {
  it('are listed with their status, part by part', async () => {
    const many = await newOrganization(admin);
    const browser = await personWith(admin, admin.token);
    await browser.open(`/app/o/${many}/sites`);
    expect(browser.text).toContain('No sites yet.');
    for (let at = 0; at < 51; at++) await admin.post(`/v1/orgs/${many}/sites`, { title: `Site ${at}` });
    await browser.open(`/app/o/${many}/sites`);
    expect(browser.text).toContain('Site 0 Everybody; search engines find it Not published');
    expect(browser.text).not.toContain('Site 50 ');
    await browser.open(String(browser.links().find((href) => href.includes('page='))));
    expect(browser.text).toContain('Site 50 ');
  });

  it('change their title and readers, and are deleted', async () => {
    const id = await publish('Renamed');
    await writing.submit({ action: 'settings' }, { title: 'Named anew', visibility: 'unlisted' });
    expect(writing.notices).toEqual(['Saved.']);
    expect((await sitesOf('Named anew'))[0].visibility).toBe('unlisted');
    await writing.submit({ action: 'settings' }, { title: '' });
    expect(writing.status).toBe(400);
    await writing.open(`/app/o/${organization}/sites/${id}`);
    await writing.submit({ action: 'delete' });
    expect([writing.path, writing.notices]).toEqual([`/app/o/${organization}/sites?done=deleted`, ['Deleted.']]);
    expect(await sitesOf('Named anew')).toEqual([]);
    await writing.open(`/app/o/${organization}/sites/${id}`);
    expect(writing.status).toBe(404);
  });

  it('have share links where they are seen by them alone', async () => {
    const id = await publish('Shared', { visibility: 'share-link' });
    expect(writing.text).toContain('No share links yet.');
    await writing.submit({ action: 'create-link' }, { name: 'Beta' });
    expect(writing.text).toContain('Beta');
    const [link] = (await admin.get(`/v1/orgs/${organization}/sites/${id}/share-links`)).body.items;
    expect(writing.links()).toContain(link.urls.published);
    expect((await fetch(link.urls.published)).status).toBe(200);
    await writing.submit({ action: 'create-link' }, { name: 'x'.repeat(51) });
    expect([writing.status, writing.notices]).toEqual([400, [expect.stringContaining('name')]]);
    await writing.open(`/app/o/${organization}/sites/${id}`);
    await writing.submit({ action: 'revoke-link', where: { link: link.id } });
    expect(writing.notices).toEqual(['The link is revoked.']);
    expect((await admin.get(`/v1/orgs/${organization}/sites/${id}/share-links`)).body.items).toEqual([]);
  });

  it('are previewed before anybody sees them', async () => {
    const { id } = (await admin.post(`/v1/orgs/${organization}/sites`, { title: 'Soon', spaces: [space] })).body;
    await writing.open(`/app/o/${organization}/sites/${id}`);
    const preview = `/app/o/${organization}/sites/${id}/preview`;
    expect(writing.links()).toContain(preview);
    await writing.open(preview);
    expect([writing.status, writing.path]).toEqual([200, expect.stringMatching(/^\/preview\//)]);
  });

  it('are shown to readers without what changes them', async () => {
    const id = await publish('Readable');
    await reading.open(`/app/o/${organization}/sites/${id}`);
    expect([reading.status, reading.offers()]).toEqual([200, new Set(['sign-out'])]);
    const stranger = await newUser(admin);
    const strange = await personWith(admin, stranger.token);
    await strange.open(`/app/o/${organization}/sites/${id}`);
    expect(strange.status).toBe(404);
  });
});

describe('the visits of a site', () => {
  it('are a chart, a table and the most viewed pages', async () => {
    const id = await publish('Visited');
    const site = new TrackedSite(admin, organization, id);
    const at = `/app/o/${organization}/sites/${id}/visits`;
    await writing.open(at);
    expect(writing.text).toContain('Nobody has visited the site in the last 30 days.');
    const hidden = await newSpace(admin, organization, { title: 'Hidden', parent: undefined });
    await admin.patch(`/v1/spaces/${hidden}`, { defaultLevel: null });
    await site.tracked([
      ...['a', 'a', 'b'].map((visitorId) => ({ session: { visitorId }, location: { page: install, space } })),
      { session: { visitorId: 'a' }, location: { page: 'long-gone', space } },
      { session: { visitorId: 'c' }, location: { page: 'x', space: hidden } },
    ]);
    await reading.open(at);
    expect(reading.status).toBe(200);
    expect(reading.text).toMatch(/Page views 5 Visitors 3/);
    expect(reading.html).toMatch(
      /<svg class="visits-chart" role="img"[^>]*><title [^>]*>Page views and visitors of each day/,
    );
    expect(reading.html.match(/<rect class="views"/g)).toHaveLength(30);
    expect(reading.html.match(/<time datetime="\d{4}-\d\d-\d\d">/gi)).toHaveLength(30);
    expect(reading.text).toContain('Install 3 2');
    expect(reading.links()).toContain(`/app/s/${space}/install`);
    expect(reading.text).toContain('A page that is gone 1 1');
    expect(reading.text).toContain('A page of a space that you may not read 1 1');
    expect(reading.html).not.toMatch(/ style=/);
  });

  it('are for members, not for guests', async () => {
    const id = await publish('Open to guests');
    const guest = await newUser(admin, { organization, role: null });
    const visiting = await personWith(admin, guest.token);
    await visiting.open(`/app/o/${organization}/sites/${id}`);
    const visits = `/app/o/${organization}/sites/${id}/visits`;
    expect([visiting.status, visiting.links().includes(visits)]).toEqual([200, false]);
    await visiting.open(visits);
    expect(visiting.status).toBe(403);
  });
});
