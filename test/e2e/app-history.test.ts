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
const compare = () => `/app/s/${of.space}/~/compare`;
const revisions = async (): Promise<string[]> =>
  (await client.get(`/v1/spaces/${of.space}/revisions`)).body.items.map((item: any) => item.revision);

it('lists versions with who made them, what each changed, and the change request that it came from', async () => {
  const number = await requests.newRequest('Tell more');
  await requests.write(number, insert('More'));
  await requests.merge(number);
  await reviewer.open(history());
  expect([reviewer.status, reviewer.text]).toEqual([200, expect.stringMatching(/Tell more .*Current/)]);
  const { id } = await requests.requestNow(number);
  expect(reviewer.links()).toContain(`/app/s/${of.space}/~/changes/${id}`);
  const [newest = ''] = await revisions();
  await reviewer.open(`${compare()}?to=${newest}`);
  expect([reviewer.status, reviewer.text]).toEqual([200, expect.stringMatching(/Pages 1 .*More .*New/)]);
  await reviewer.open(String(reviewer.links().find((link) => /compare\/\w+\?/.test(link))));
  expect([reviewer.status, reviewer.text]).toEqual([200, expect.stringContaining('About More.')]);
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
  await reviewer.open(`${compare()}?to=unknown`);
  expect(reviewer.status).toBe(404);
  const guest = await personWith(client, (await newUser(client)).token);
  for (const path of [history(), `${compare()}?to=${before}`]) expect((await guest.open(path)).status).toBe(404);
});

it('compares any two versions: words, renamed pages and properties', async () => {
  await requests.live(insert('Plain'));
  const page = await requests.idOf('Plain');
  const lines = Array.from({ length: 8 }, (_, at) => `Line ${at}.`);
  await requests.live(rewrite(page, `${lines.join('\n\n')}\n`));
  const [from = ''] = await revisions();
  await requests.live(rewrite(page, `${lines.join('\n\n').replace('Line 7', 'Last line')}\n`, { title: 'Fancy' }));
  await requests.live(insert('Other'));
  const [to = ''] = await revisions();
  await reviewer.open(`${history()}?from=${from}`);
  expect([reviewer.path.includes('/~/compare'), reviewer.text]).toEqual([
    true,
    expect.stringMatching(/Fancy before: Plain.*Renamed.*Other/),
  ]);
  await reviewer.open(`${compare()}/${page}?from=${from}&to=${to}`);
  expect([reviewer.status, reviewer.text]).toEqual([200, expect.stringMatching(/Title Plain Fancy/)]);
  expect(reviewer.elements('ins').map(({ text }) => text)).toEqual(expect.arrayContaining(['Fancy']));
  expect(reviewer.text).toMatch(/\d parts without changes/);
  for (const wrong of [`${compare()}/unknown?from=${from}`, `${compare()}?from=unknown&to=${to}`])
    expect([wrong, (await reviewer.open(wrong)).status]).toEqual([wrong, 404]);
});
