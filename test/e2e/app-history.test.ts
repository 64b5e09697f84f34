import { type AppPerson, personWith } from '../support/app-person.js';
import { changeRequestsOf, insert, rewrite } from '../support/change-requests.js';
import { newOrganization, newSpace, newUser, shared } from '../support/fixtures.js';

const client = shared();
const of = { space: '' };
const requests = changeRequestsOf(client, of);
let organization: string;
let reviewer: AppPerson;

beforeAll(async () => {
  organization = await newOrganization(client);
  of.space = await newSpace(client, organization, { editMode: 'live' });
  await requests.live(insert('Guide'));
  reviewer = await personWith(client, (await newUser(client, { organization, role: 'review' })).token);
});

const history = () => `/app/s/${of.space}/~/history`;
const revisions = async (): Promise<string[]> =>
  (await client.get(`/v1/spaces/${of.space}/revisions`)).body.items.map((item: any) => item.revision);

it('lists versions with who made them, what each changed, and the change request that it came from', async () => {
  const number = await requests.newRequest('Tell more');
  await requests.write(number, insert('More'));
  await requests.merge(number);
  await reviewer.open(history());
  expect([reviewer.status, reviewer.text]).toEqual([200, expect.stringMatching(/Tell more .*Current/)]);
  const [newest = ''] = await revisions();
  await reviewer.open(`${history()}/${newest}`);
  expect([reviewer.status, reviewer.text]).toEqual([200, expect.stringMatching(/More .*New/)]);
  expect(reviewer.links()).toContain(`/app/s/${of.space}/~/changes/${number}`);
});

it('restores a version after a question', async () => {
  const page = await requests.idOf('Guide');
  const [before = ''] = await revisions();
  await requests.live(rewrite(page, 'A mistake.\n'));
  await reviewer.open(`${history()}/${before}/restore`);
  expect(reviewer.text).toContain('Restore this version?');
  expect(await requests.primarySource(page)).toContain('A mistake.');
  await reviewer.submit({ action: 'restore' });
  expect([reviewer.status, reviewer.text]).toEqual([200, expect.stringContaining('Restored.')]);
  expect(await requests.primarySource(page)).not.toContain('A mistake.');
});

it('offers restoring to those alone who may, and is nothing to guests', async () => {
  const [, before = ''] = await revisions();
  const reader = await personWith(client, (await newUser(client, { organization, role: 'read' })).token);
  await reader.open(history());
  expect(reader.links().filter((link) => link.endsWith('/restore'))).toEqual([]);
  await reader.forge(`${history()}/${before}/restore`, { action: 'restore' });
  expect(reader.status).toBe(403);
  await reviewer.open(`${history()}/unknown`);
  expect(reviewer.status).toBe(404);
  const guest = await personWith(client, (await newUser(client)).token);
  for (const path of [history(), `${history()}/${before}`]) expect((await guest.open(path)).status).toBe(404);
});
