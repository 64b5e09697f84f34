import { eventually } from '../../shared/testing/eventually.js';
import { type AppPerson, personWith } from '../support/app-person.js';
import { changeRequestsOf, insert } from '../support/change-requests.js';
import { type NewUser, newOrganization, newSpace, newUser, shared } from '../support/fixtures.js';

const client = shared();
const of = { space: '' };
const requests = changeRequestsOf(client, of);
let organization: string;
let [wanda, rita]: NewUser[] = [];

async function person(role: string, displayName: string): Promise<NewUser> {
  const made = await newUser(client, { organization, role });
  await made.client.patch(`/v1/users/${made.id}`, { displayName });
  return made;
}

beforeAll(async () => {
  organization = await newOrganization(client);
  of.space = await newSpace(client, organization, { editMode: 'live', title: 'Manual' });
  wanda = await person('edit', 'Wanda');
  rita = await person('review', 'Rita');
});

const told = async (user: NewUser, browser: AppPerson, text: RegExp): Promise<void> => {
  await eventually(
    `${user.email} is told ${text}`,
    async () => (await browser.open('/app/notifications')).text,
    (shown) => text.test(shown),
  );
};

const bellOf = (browser: AppPerson) =>
  browser.elements('a').find(({ attributes }) => attributes.class === 'bell')?.attributes['aria-label'];

it('tells a reviewer of a request, and its author of comments, the verdict and the merge', async () => {
  const [writer, judge] = [wanda as NewUser, rita as NewUser];
  const [ofWriter, ofJudge] = [await personWith(client, writer.token), await personWith(client, judge.token)];
  const made = (await writer.client.post(`/v1/spaces/${of.space}/change-requests`, { subject: 'The plan' })).body;
  const at = requests.at(made.number);
  await requests.write(made.number, insert('Plans'));
  await writer.client.post(`${at}/requested-reviewers`, { users: [judge.id] });
  await told(judge, ofJudge, /Wanda asks you for a review .*#1 The plan in Manual/);
  expect(bellOf(ofJudge)).toBe('1 unread notifications');

  await judge.client.post(`${at}/comments`, { body: { markdown: 'Is **this** all?' } });
  await judge.client.post(`${at}/reviews`, { status: 'changes-requested', comment: { markdown: 'More words' } });
  await judge.client.post(`${at}/reviews`, { status: 'approved' });
  await judge.client.post(`${at}/merge`, {});
  await told(writer, ofWriter, /Rita merged your change request/);
  expect(ofWriter.text).toMatch(/Rita approved your change request/);
  expect(ofWriter.text).toMatch(/Rita asks for changes in your change request/);
  expect(ofWriter.text).toMatch(/Rita commented on your change request Is this all\?/);

  const comment = ofWriter.links().find((link) => /comment=/.test(link)) as string;
  await ofWriter.open(comment);
  expect([ofWriter.status, ofWriter.text]).toEqual([200, expect.stringContaining('Is this all?')]);
  await ofWriter.open('/app/notifications');
  await ofWriter.submit({ action: 'read-all' });
  expect(ofWriter.text).not.toContain('Mark all as read');
  await ofJudge.open('/app/notifications');
  expect(ofJudge.text).not.toMatch(/Rita (?:approved|commented|asks|merged)/);
});

it('tells of mentions and replies, and of nothing that is gone or may not be seen any more', async () => {
  const [ada, bob] = [await person('comment', 'Ada'), await person('comment', 'Bob')];
  const [ofAda, ofBob] = [await personWith(client, ada.token), await personWith(client, bob.token)];
  const at = `/v1/spaces/${of.space}/comments`;
  const asked = (await ada.client.post(at, { body: { markdown: `[@Bob](/users/${bob.id}), is it so?` } })).body;
  await told(bob, ofBob, /Ada mentioned you @Bob, is it so\?/);
  await bob.client.post(`${at}/${asked.id}/replies`, { body: { markdown: 'It is.' } });
  await told(ada, ofAda, /Bob replied to you It is\./);
  await ofAda.submit({ action: 'read' });
  expect(ofAda.text).toContain('Marked as read.');

  await client.delete(`${at}/${asked.id}`);
  await ofBob.open('/app/notifications');
  expect([ofBob.text, bellOf(ofBob)]).toEqual([expect.not.stringContaining('is it so'), 'Notifications']);
  const other = await newSpace(client, organization, { editMode: 'live', title: 'Secret' });
  await client.post(`/v1/spaces/${other}/comments`, { body: { markdown: `[@Bob](/users/${bob.id}) come` } });
  await told(bob, ofBob, /Secret/);
  await client.patch(`/v1/spaces/${other}`, { defaultLevel: null });
  await ofBob.open('/app/notifications');
  expect([ofBob.text, bellOf(ofBob)]).toEqual([expect.not.stringContaining('Secret'), 'Notifications']);
});

it('offers to mark all as read where the unread ones stand on another screen', async () => {
  const [pam, tom] = [await person('comment', 'Pam'), await person('comment', 'Tom')];
  const ofTom = await personWith(client, tom.token);
  const body = { markdown: `[@Tom](/users/${tom.id}) once more` };
  const post = () => pam.client.post(`/v1/spaces/${of.space}/comments`, { body });
  expect((await Promise.all(Array.from({ length: 31 }, post))).map(({ status }) => status)).toEqual(
    Array(31).fill(200),
  );
  await ofTom.open('/app/notifications');
  await ofTom.open(ofTom.links().find((link) => /[?]after=/.test(link)) as string);
  await ofTom.submit({ action: 'read' });
  expect(bellOf(ofTom)).toBe('30 unread notifications');
  await ofTom.submit({ action: 'read-all' });
  expect([ofTom.text, bellOf(ofTom)]).toEqual([expect.not.stringContaining('Mark all as read'), 'Notifications']);
});

it('marks nothing of others as read, and leads nowhere else', async () => {
  const [eve, zoe] = [await person('comment', 'Eve'), await person('comment', 'Zoe')];
  const [ofEve, ofZoe] = [await personWith(client, eve.token), await personWith(client, zoe.token)];
  const body = { markdown: `[@Zoe](/users/${zoe.id}) look` };
  await eve.client.post(`/v1/spaces/${of.space}/comments`, { body });
  await told(zoe, ofZoe, /Eve mentioned you/);
  const [id = ''] = ofZoe
    .elements('input')
    .flatMap(({ attributes }) => (attributes.name === 'notification' ? (attributes.value ?? []) : []));
  await ofEve.open('/app/notifications');
  await ofEve.forge('/app/notifications', { action: 'read', notification: id });
  await ofZoe.open('/app/notifications');
  expect(ofZoe.text).toContain('Mark all as read');
  await ofEve.open('/app/notifications/open?space=//evil.example&number=1');
  expect(ofEve.path).toBe('/app/notifications');
});
