import { setTimeout as delay } from 'node:timers/promises';
import { codeIn, type Mailbox, openMailbox } from '../../shared/testing/mailbox.js';
import { newOrganization, newSpace, unique } from '../support/fixtures.js';
import { Client, type StartedServer, startServer } from '../support/server.js';

const spanMs = 2000;
let box: Mailbox;
let server: StartedServer;
let organization: string;
let space: string;
beforeAll(async () => {
  box = await openMailbox();
  server = await startServer({ env: { SMTP_URL: box.url, COMMENT_DIGEST_SECONDS: String(spanMs / 1000) } });
  organization = await newOrganization(server);
  space = await newSpace(server, organization, { title: 'Handbook', editMode: 'live' });
});
afterAll(async () => {
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

/** Spans begin and end by the clock. */
const beginningOfSpan = () => delay(spanMs - (Date.now() % spanMs) + 20);
const mailsTo = ({ email }: Person) => box.received.filter(({ to }) => to.includes(email)).slice(1);

it.concurrent('tells in one mail who mentioned somebody and who replied to them', async () => {
  const [ada, bob] = [await newPerson(), await newPerson()];
  const changes = [{ operation: 'insert_page', document: { markdown: '# Installing\n\nRun it.\n' } }];
  await server.post(`/v1/spaces/${space}/content`, { changes });
  const page = (await server.get(`/v1/spaces/${space}/content`)).body.pages[0].id;
  await beginningOfSpan();
  const asked = await post('Is this right?', { page }, ada.client);
  expect((await post(`What does ${mention(ada)} think of <b>this</b>?`)).mentions).toEqual([ada.id]);
  await reply(asked.id, 'It is.', bob.client);
  await reply(asked.id, 'Says Ada herself', ada.client);
  const deleted = await reply(asked.id, 'It is not.', bob.client);
  await server.delete(`${comments(asked.id)}/replies/${deleted.id}`);
  const mail = await box.mailTo(ada.email);
  expect(mail.subject).toBe('2 comments in Handbook');
  for (const text of ['Installing', 'It is.', '<b>this</b>']) expect(mail.text).toContain(text);
  for (const text of ['It is not.', 'Says Ada herself']) expect(mail.text).not.toContain(text);
  expect(mail.text).toContain(`What does @${ada.email.split('@')[0]} think of`);
  expect(mail.html).not.toContain('<b>this');
  await reply(asked.id, `Thank you, ${mention(bob)}`, ada.client);
  expect((await box.mailTo(bob.email)).text).toContain('Thank you');
  expect([mailsTo(ada).length, mailsTo(bob).length]).toEqual([1, 1]);
});

it.concurrent('tells nobody who may not see the comment, who wrote it, or who was told before', async () => {
  const [ada, guest, witness] = [await newPerson(), await newPerson(null), await newPerson()];
  const made = await post(`${mention(ada)} ${mention(guest)} [me](/users/nobody)`, {}, ada.client);
  expect(made.mentions).toEqual([ada.id]);
  const { body: edited } = await ada.client.put(comments(made.id), {
    body: { markdown: `${mention(ada)} ${mention(witness)}` },
  });
  expect(edited.mentions).toEqual([ada.id, witness.id]);
  await box.mailTo(witness.email);
  await ada.client.put(comments(made.id), { body: { markdown: `${mention(witness)} again` } });
  await post(`${mention(ada)} at last`);
  await box.mailTo(ada.email);
  expect([ada, guest, witness].map((person) => mailsTo(person).length)).toEqual([1, 0, 1]);
});

it.concurrent('stops for those who say so by the link of a mail, and begins again', async () => {
  const [ada, witness] = [await newPerson(), await newPerson()];
  await post(`${mention(ada)} one`);
  const { headers } = await box.mailTo(ada.email);
  const link = /<([^>]+)>/.exec(headers['list-unsubscribe'] ?? '')?.[1] ?? '';
  const stopped = await fetch(link, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) });
  expect(stopped.status).toBe(200);
  expect((await ada.client.get('/v1/user')).body.commentMails).toBe(false);
  await post(`${mention(ada)} and ${mention(witness)} two`);
  await box.mailTo(witness.email);
  await ada.client.patch(`/v1/users/${ada.id}`, { commentMails: true });
  await post(`${mention(ada)} three`);
  expect((await box.mailTo(ada.email)).text).toContain('three');
  expect(mailsTo(ada).map(({ text }) => text.includes('two'))).toEqual([false, false]);
});
