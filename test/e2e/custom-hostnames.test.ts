import { eventually } from '../../shared/testing/eventually.js';
import { setRecords } from '../support/domains.js';
import { newOrganization, newUser, shared, unique } from '../support/fixtures.js';
import { newSite } from '../support/site.js';

const admin = shared();
const hostOf = (name: string) => `${unique(name).replace(/\W/g, '-')}.docs.example`;

/** Sets the record that proves a domain, before anything looks it up. */
async function setProof(organization: string, domain: string): Promise<void> {
  const { record } = (await admin.get(`/v1/orgs/${organization}/domains/${domain}`)).body;
  await setRecords(record.name, [record.value]);
}
const active = (path: string) =>
  eventually(
    `the proof of ${path}`,
    () => admin.get(path),
    ({ body }) => body.isActive,
  );

it('the host name of a site is told with its target, once it counts as active, and is taken from the site', async () => {
  const organization = await newOrganization(admin);
  const site = await newSite(organization);
  const hostname = hostOf('own');
  const path = `/v1/custom-hostnames/${hostname}`;
  expect((await admin.get(path)).status).toBe(404);
  await setProof(organization, hostname);
  const { body: named } = await site.send('PATCH', '', { hostname });
  expect((await active(path)).body).toEqual({
    object: 'custom-hostname',
    hostname,
    target: { type: 'site', site: named.id },
    isActive: true,
    status: 'dns_passed',
    urls: { location: `${admin.url}${path}` },
  });
  expect((await admin.get(`/v1/custom-hostnames/${hostname.toUpperCase()}`)).body).toMatchObject({ hostname });
  expect((await admin.patch(path, {})).status).toBe(204);

  const editor = await newUser(admin, { organization, role: 'edit' });
  for (const method of ['GET', 'PATCH', 'DELETE']) expect((await editor.client.request(method, path)).status).toBe(403);
  const stranger = await newUser(admin);
  expect((await stranger.client.delete(path)).status).toBe(404);

  expect((await admin.delete(path)).status).toBe(205);
  expect([(await admin.get(path)).status, (await admin.get(site.at(''))).body.hostname]).toEqual([404, undefined]);
  expect((await admin.get(`/v1/orgs/${organization}/domains/${hostname}`)).body.status).toBe('proven');
});

it('of two organizations that ask for a host name, each sees its own site, and a member of both that which it counts for', async () => {
  const hostname = hostOf('both');
  const [first, second] = [await newOrganization(admin), await newOrganization(admin)];
  const [early, late] = [await newSite(first), await newSite(second)];
  await early.send('PATCH', '', { hostname });
  await setProof(second, hostname);
  const { body: named } = await late.send('PATCH', '', { hostname });
  const own = await newUser(admin, { organization: first, role: 'admin' });
  const path = `/v1/custom-hostnames/${hostname}`;
  expect((await active(path)).body).toMatchObject({ target: { site: named.id } });
  const { body: pending } = await own.client.get(path);
  expect([pending.isActive, 'status' in pending]).toEqual([false, false]);
});
