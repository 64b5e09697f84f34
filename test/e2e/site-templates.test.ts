import { auditEvents } from '../support/audit.js';
import { newOrganization, newSpace, newUser, shared } from '../support/fixtures.js';
import { done } from '../support/requests/setting.js';
import { newSite } from '../support/site.js';

const admin = shared();
let organization: string;
beforeAll(async () => {
  organization = await newOrganization(admin);
});

const spaces = async () => (await admin.get(`/v1/orgs/${organization}/spaces?limit=0`)).body.count;

it('a site that shows nothing gets sections, each with a space full of pages', async () => {
  const site = await newSite(organization);
  expect(await site.send('POST', '/template')).toMatchObject({ status: 200, body: '' });
  const { structure } = await site.structure();
  expect(structure.map(({ title, path, icon }: any) => [title, path, icon])).toEqual([
    ['Documentation', 'documentation', 'book-open'],
    ['API reference', 'api-reference', 'code'],
    ['Help center', 'help-center', 'life-ring'],
    ['Changelog', 'changelog', 'sparkles'],
  ]);
  for (const { siteSpaces } of structure) {
    const { pages } = await done(admin.get(`/v1/spaces/${siteSpaces[0].space.id}/content`));
    expect(pages.length).toBeGreaterThan(0);
  }
  const [event] = await auditEvents(admin, organization, 'operation=applyTemplateToSite', 1);
  expect(event).toMatchObject({ resource: { type: 'site', id: site.id } });

  const held = await spaces();
  const again = await site.send('POST', '/template');
  expect([again.status, again.body.error.reason]).toEqual([409, 'wrong_state']);
  expect(await spaces()).toBe(held);
});

it('a site that shows a space, and one of others, stay as they are', async () => {
  const site = await newSite(organization, { spaces: [await newSpace(admin, organization, { title: 'own' })] });
  const held = await spaces();
  expect((await site.send('POST', '/template')).status).toBe(409);
  expect([await site.outline(), await spaces()]).toEqual(['own*', held]);
  const empty = await newSite(organization);
  const { client } = await newUser(admin, { organization, role: 'edit' });
  expect((await client.post(empty.at('/template'))).status).toBe(403);
  expect((await admin.post(`/v1/orgs/${organization}/sites/none/template`)).status).toBe(404);
  expect(await spaces()).toBe(held);
});

it('of requests at once one fills the site, and the others leave no space behind', async () => {
  const site = await newSite(organization);
  const held = await spaces();
  const answers = await Promise.all([1, 2, 3].map(() => site.send('POST', '/template')));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  expect([(await site.structure()).structure.length, await spaces()]).toEqual([4, held + 4]);
});
