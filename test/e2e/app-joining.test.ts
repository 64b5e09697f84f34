import { codeIn, type Mailbox, openMailbox } from '../../shared/testing/mailbox.js';
import { newVisitor, personWith } from '../support/app-person.js';
import { newOrganization } from '../support/fixtures.js';
import { type StartedServer, startServer } from '../support/server.js';

let box: Mailbox;
let server: StartedServer;
beforeAll(async () => {
  box = await openMailbox();
  server = await startServer({ env: { SMTP_URL: box.url, MAIL_FROM: 'docs@example.com' } });
});
afterAll(async () => {
  await server.stop();
  await box.close();
});

it('somebody who opens an invite link signs in by mail, and is back at it', async () => {
  const email = 'ada@example.com';
  const home = await newOrganization(server);
  await server.post(`/v1/orgs/${home}/invites`, { emails: [email] });
  await box.mailTo(email);
  const organization = await newOrganization(server);
  const { id } = (await server.post(`/v1/orgs/${organization}/link-invites`, { role: 'comment' })).body;
  const way = `/app/join/${organization}/${id}`;
  const person = newVisitor(server);
  await person.open(way);
  await person.submit({ action: 'link' }, { email });
  expect([person.path.startsWith(`/app/sign-in?next=${encodeURIComponent(way)}`), person.notices.length]).toEqual([
    true,
    1,
  ]);
  const code = codeIn(await box.mailTo(email));
  await person.open(`/app/sign-in?code=${code}`);
  await person.submit({ action: 'redeem' });
  expect([person.status, person.path]).toEqual([200, way]);
  await person.submit({ action: 'join' });
  expect(person.notices).toEqual(['You have joined.']);
});

it('somebody who invites by mail is told of no other way', async () => {
  const members = `/app/o/${await newOrganization(server)}/members`;
  const admin = await personWith(server, server.token);
  await admin.open(`${members}/invite`);
  expect([admin.notices, admin.text]).toEqual([[], expect.stringContaining('Each of them gets a link')]);
  await admin.submit({ action: 'mail' }, { addresses: 'bob@example.com' });
  expect([admin.path, admin.notices]).toEqual([`${members}?done=invited`, ['Invited.']]);
});
