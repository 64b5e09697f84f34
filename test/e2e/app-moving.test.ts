import { personWith } from '../support/app-person.js';
import { joined, type NewUser, newOrganization, newSpace, newUser, shared, walk } from '../support/fixtures.js';
import { done } from '../support/requests/setting.js';

const server = shared();
let organization: string;
let other: string;
let person: NewUser;
beforeAll(async () => {
  [organization, other] = [await newOrganization(server), await newOrganization(server)];
  person = await newUser(server, { organization, role: 'create' });
  await joined(server, person, { organization: other, role: 'create' });
});

const newCollection = async (title: string, parent?: string): Promise<string> =>
  (await done(person.client.post(`/v1/orgs/${organization}/collections`, { title, parent }))).id;
const spaceOf = async (space: string) => done(person.client.get(`/v1/spaces/${space}`));
const browserAt = async (path: string) => {
  const browser = await personWith(server, person.token);
  await browser.open(path);
  return browser;
};

it('a space is moved, put in order, copied and transferred from its settings', async () => {
  const collection = await newCollection('Shelf');
  const first = await newSpace(person.client, organization, { title: 'First', parent: collection });
  const space = await newSpace(person.client, organization, { title: 'Wandering' });
  const browser = await browserAt(`/app/s/${space}/~/settings`);
  await browser.submit({ action: 'move' }, { parent: collection });
  expect([browser.status, browser.notices]).toEqual([200, ['Moved.']]);
  expect((await spaceOf(space)).parent).toBe(collection);
  await browser.submit({ action: 'order' }, { place: `before ${first}` });
  const order = async () =>
    (await walk(person.client, `/v1/collections/${collection}/spaces`, 100)).map(({ id }) => id);
  expect(await order()).toEqual([space, first]);
  await browser.submit({ action: 'order' }, { place: 'after nothing' });
  expect([browser.status, browser.notices]).toEqual([400, [expect.stringContaining('position.after')]]);

  await browser.open(`/app/s/${space}/~/settings`);
  await browser.submit({ action: 'copy' });
  expect(browser.notices).toEqual(['Created.']);
  expect((await order()).length).toBe(3);
  await browser.open(`/app/s/${space}/~/settings`);
  expect(browser.text).toContain('Who is not a member there loses access');
  await browser.submit({ action: 'transfer' }, { organization: other });
  expect([browser.status, browser.notices]).toEqual([200, ['Transferred.']]);
  expect((await spaceOf(space)).organization).toBe(other);
});

it('a collection is moved, but not offered what is in it, and transferred', async () => {
  const [outer, target] = [await newCollection('Outer'), await newCollection('Target')];
  const inner = await newCollection('Inner', outer);
  const browser = await browserAt(`/app/c/${outer}`);
  const offered = browser.html.match(/<select id="field-move-parent".*?<\/select>/s)?.[0] ?? '';
  expect([offered.includes(target), offered.includes(inner), offered.includes(outer)]).toEqual([true, false, false]);
  await browser.submit({ action: 'move' }, { parent: target });
  expect(browser.notices).toEqual(['Moved.']);
  const shown = async () => done(person.client.get(`/v1/collections/${outer}`));
  expect((await shown()).parent).toBe(target);
  await browser.submit({ action: 'transfer' }, { organization: other });
  expect(browser.notices).toEqual(['Transferred.']);
  expect((await shown()).organization).toBe(other);
});

it('a space begins with a template: when it is made, or while it is empty', async () => {
  const browser = await browserAt(`/app/o/${organization}`);
  await browser.submit({ action: 'space' }, { title: 'Made', template: 'knowledge-base' });
  expect([browser.status, browser.text.includes('Help center')]).toEqual([200, true]);
  const space = await newSpace(person.client, organization);
  await browser.open(`/app/s/${space}`);
  await browser.submit({ action: 'template' }, { template: 'changelog' });
  expect([browser.notices, browser.text.includes('What is new')]).toEqual([['Created.'], true]);
  const reader = await newUser(server, { organization, role: 'read' });
  const empty = await newSpace(person.client, organization);
  const reading = await personWith(server, reader.token);
  await reading.open(`/app/s/${empty}`);
  expect([reading.status, reading.text.includes('Begin with a template')]).toEqual([200, false]);
});
