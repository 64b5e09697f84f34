import { digestJobKinds } from '../../services/comments/digests/notices.js';
import { jobCollections } from '../../shared/jobs/jobs.js';
import type { Store } from '../../shared/store/port.js';
import { eventually } from '../../shared/testing/eventually.js';
import { codeIn, type Mailbox, openMailbox } from '../../shared/testing/mailbox.js';
import { newOrganization, newSpace, openSharedStore, unique } from '../support/fixtures.js';
import { Client, type StartedServer, startServer } from '../support/server.js';

/** Longer than these tests take: they end spans themselves. */
const spanMs = 3_600_000;
const { jobs } = jobCollections('comments');
let store: Store;
let box: Mailbox;
let server: StartedServer;
let organization: string;
let space: string;
beforeAll(async () => {
  box = await openMailbox();
  server = await startServer({ env: { SMTP_URL: box.url, COMMENT_DIGEST_SECONDS: String(spanMs / 1000) } });
  organization = await newOrganization(server);
  space = await newSpace(server, organization, { title: 'Handbook', editMode: 'live' });
  store = await openSharedStore(server.settings);
  await store.prepare([jobs] as never[]);
});
afterAll(async () => {
  await store.close();
  expect(await server.stop()).toBe(0);
  await box.close();
});

interface Person {
  id: string;
  email: string;
  client: Client;
}

/** A member who has signed in by the link of the invite. */
async function newPerson(role: string | null = 'comment'): Promise<Person> {
  const email = `${unique('person').replace(/ /g, '-')}@example.com`;
  const { body } = await server.post(`/v1/orgs/${organization}/invites`, { emails: [email], role });
  const signedIn = await server.post(`/v1/sign-in/${codeIn(await box.mailTo(email))}`, undefined, { token: null });
  return { id: body.users[0], email, client: new Client(server.url, signedIn.body.token) };
}

const comments = (id = '') => `/v1/spaces/${space}/comments${id && `/${id}`}`;
const post = async (markdown: string, about: object = {}, by: Client = server) =>
  (await by.post(comments(), { body: { markdown }, ...about })).body;
const reply = async (id: string, markdown: string, by: Client = server) =>
  (await by.post(`${comments(id)}/replies`, { body: { markdown } })).body;
const mention = ({ id }: Person) => `[@you](/users/${id})`;

const digestsFor = ({ id }: Person) => ({ kind: { $in: Object.values(digestJobKinds) }, 'payload.user': id });
/** Ends the span of somebody, as time would: what was written for them is told, and what is written then begins another span. */
async function endSpan(person: Person): Promise<void> {
  const digests = digestsFor(person);
  const [past, soon] = [new Date(0), new Date(Date.now() + 1000)].map((time) => time.toISOString());
  await store.updateMany(jobs, digests, { $set: { runAt: past, 'payload.until': soon } });
  await eventually(
    'the end of a digest',
    () => store.count(jobs, { ...digests, state: { $in: ['queued', 'running'] } }),
    (count) => count === 0,
  );
  await store.deleteMany(jobs, digests);
}
/** Without that of the invite. */
const mailsTo = ({ email }: Person) => box.received.filter(({ to }) => to.includes(email)).slice(1);

it.concurrent('tells in one mail who mentioned somebody and who replied to them', async () => {
  const [ada, bob] = [await newPerson(), await newPerson()];
  const changes = [{ operation: 'insert_page', document: { markdown: '# Installing\n\nRun it.\n' } }];
  await server.post(`/v1/spaces/${space}/content`, { changes });
  const page = (await server.get(`/v1/spaces/${space}/content`)).body.pages[0].id;
  const asked = await post('Is this right?', { page }, ada.client);
  expect((await post(`What does ${mention(ada)} think of <b>this</b>?`)).mentions).toEqual([ada.id]);
  await reply(asked.id, 'It is.', bob.client);
  await reply(asked.id, 'Says Ada herself', ada.client);
  const deleted = await reply(asked.id, 'It is not.', bob.client);
  await server.delete(`${comments(asked.id)}/replies/${deleted.id}`);
  const planned = (await store.findOne(jobs, digestsFor(ada))) as { payload: any; runAt: string };
  const until = Date.parse(planned.payload.until);
  expect([until % spanMs, Date.parse(planned.runAt) - until]).toEqual([0, 1000]);
  await endSpan(ada);
  const mail = await box.mailTo(ada.email);
  expect(mail.subject).toBe('2 comments in Handbook');
  for (const text of ['Installing', 'It is.', '<b>this</b>']) expect(mail.text).toContain(text);
  for (const text of ['It is not.', 'Says Ada herself']) expect(mail.text).not.toContain(text);
  expect(mail.text).toContain(`What does @${ada.email.split('@')[0]} think of`);
  expect(mail.html).not.toContain('<b>this');
  await reply(asked.id, `Thank you, ${mention(bob)}`, ada.client);
  await endSpan(bob);
  expect((await box.mailTo(bob.email)).text).toContain('Thank you');
  expect([mailsTo(ada).length, mailsTo(bob).length]).toEqual([1, 1]);
});

it.concurrent('leads to the comments of the change request that a text is on', async () => {
  const [ada, bob] = [await newPerson(), await newPerson()];
  const { number } = (await server.post(`/v1/spaces/${space}/change-requests`, { subject: 'Plan' })).body;
  const at = `/v1/spaces/${space}/change-requests/${number}/comments`;
  const { id } = (await ada.client.post(at, { body: { markdown: `${mention(bob)}, is it so?` } })).body;
  await bob.client.post(`${at}/${id}/replies`, { body: { markdown: 'It is.' } });
  for (const person of [ada, bob]) {
    await endSpan(person);
    expect((await box.mailTo(person.email)).text).toContain(
      `/app/s/${space}/~/changes/${number}/~/comments?status=all#comment-${id}`,
    );
  }
});

it.concurrent('tells of reviews and comments in one mail, whichever job comes first', async () => {
  const bob = await newPerson('review');
  const { number } = (await server.post(`/v1/spaces/${space}/change-requests`, { subject: 'Plan' })).body;
  const at = `/v1/spaces/${space}/change-requests/${number}`;
  await server.post(`${at}/requested-reviewers`, { users: [bob.id] });
  await post(`${mention(bob)}, please`);
  const waiting = () => store.page(jobs, { filter: digestsFor(bob), sort: {}, limit: 3 });
  const { items } = await eventually('both jobs', waiting, (found) => found.items.length === 2);
  expect(new Set(items.map(({ orderKey }) => orderKey)).size).toBe(1);
  await endSpan(bob);
  const { text } = await box.mailTo(bob.email);
  expect(text).toMatch(/asks you to review "Plan" in Handbook.*mentioned you in Handbook/s);
  expect(text).toMatch(new RegExp(`/app/s/${space}/~/changes/${number}\\s`));
  expect(mailsTo(bob)).toHaveLength(1);
});

it.concurrent('tells nobody who may not see the comment, who wrote it, or who was told before', async () => {
  const [ada, guest, witness] = [await newPerson(), await newPerson(null), await newPerson()];
  const made = await post(`${mention(ada)} ${mention(guest)} [me](/users/nobody)`, {}, ada.client);
  expect(made.mentions).toEqual([ada.id]);
  const { body: edited } = await ada.client.put(comments(made.id), {
    body: { markdown: `${mention(ada)} ${mention(witness)}` },
  });
  expect(edited.mentions).toEqual([ada.id, witness.id]);
  await endSpan(witness);
  await ada.client.put(comments(made.id), { body: { markdown: `${mention(witness)} again` } });
  await post(`${mention(ada)} at last`);
  await endSpan(ada);
  for (const person of [guest, witness]) expect(await store.count(jobs, digestsFor(person))).toBe(0);
  expect([ada, guest, witness].map((person) => mailsTo(person).length)).toEqual([1, 0, 1]);
});

it.concurrent('stops for those who say so by the link of a mail, and begins again', async () => {
  const [ada, witness] = [await newPerson(), await newPerson()];
  await post(`${mention(ada)} one`);
  await endSpan(ada);
  const { headers } = await box.mailTo(ada.email);
  const link = /<([^>]+)>/.exec(headers['list-unsubscribe'] ?? '')?.[1] ?? '';
  const stopped = await fetch(link, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) });
  expect(stopped.status).toBe(200);
  expect((await ada.client.get('/v1/user')).body.commentMails).toBe(false);
  await post(`${mention(ada)} and ${mention(witness)} two`);
  await Promise.all([endSpan(ada), endSpan(witness)]);
  expect([mailsTo(ada).length, mailsTo(witness).length]).toEqual([1, 1]);
  await ada.client.patch(`/v1/users/${ada.id}`, { commentMails: true });
  await post(`${mention(ada)} three`);
  await endSpan(ada);
  expect((await box.mailTo(ada.email)).text).toContain('three');
  expect(mailsTo(ada).map(({ text }) => text.includes('two'))).toEqual([false, false]);
});
