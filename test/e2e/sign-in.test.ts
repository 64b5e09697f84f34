import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeIn, type Mailbox, openMailbox } from '../../shared/testing/mailbox.js';
import { newOrganization, shared, unique } from '../support/fixtures.js';
import { type StartedServer, startServer } from '../support/server.js';

const nobody = { token: null };
let box: Mailbox;
let server: StartedServer;
beforeAll(async () => {
  box = await openMailbox();
  server = await startServer({
    env: { SMTP_URL: box.url, MAIL_FROM: 'Docs <docs@example.com>', LOG_LEVEL: 'trace', LOG_REQUESTS: 'all' },
  });
});
afterAll(async () => {
  expect(await server.stop()).toBe(0);
  await box.close();
});

const newAddress = () => `${unique('Ada').replace(/ /g, '-')}@example.com`;

async function invite(email: string): Promise<{ organization: string; user: string }> {
  const organization = await newOrganization(server);
  const { status, body } = await server.post(`/v1/orgs/${organization}/invites`, { emails: [email], role: 'edit' });
  expect([status, body.invited]).toEqual([200, 1]);
  return { organization, user: body.users[0] };
}

const signIn = (code: string, body?: object) => server.post(`/v1/sign-in/${code}`, body, nobody);

describe('somebody who is invited', () => {
  it('gets in by the link of the mail', async () => {
    const email = newAddress();
    const { organization, user } = await invite(email);
    const mail = await box.mailTo(email);
    const { body: invitedTo } = await server.get(`/v1/orgs/${organization}`);
    expect(mail.subject).toBe(`You are invited to ${invitedTo.title}`);
    expect(mail.headers.from).toBe('Docs <docs@example.com>');
    expect(mail.text).toContain(`${server.url}/app/sign-in?code=`);
    const signedIn = await signIn(codeIn(mail));
    expect(signedIn.status).toBe(201);
    expect(signedIn.headers.get('cache-control')).toBe('no-store');
    expect(signedIn.body).toMatchObject({ object: 'api-token', label: 'Sign-in by mail' });
    const { token } = signedIn.body;
    expect((await server.get('/v1/user', { token })).body).toMatchObject({ id: user, email });
    expect((await server.get(`/v1/orgs/${organization}`, { token })).status).toBe(200);
    const listed = await server.get('/v1/user/tokens', { token });
    expect(listed.body.items).toMatchObject([{ id: signedIn.body.id, expiresAt: signedIn.body.expiresAt }]);
    expect(await signIn(codeIn(mail))).toMatchObject({ status: 404, body: { error: { code: 404 } } });
  });
});

describe('somebody with an account', () => {
  it('accepts an invite by signing in with its link, and by no other', async () => {
    const email = newAddress();
    await invite(email);
    const { token } = (await signIn(codeIn(await box.mailTo(email)))).body;
    const { organization } = await invite(email);
    const mail = await box.mailTo(email);
    const isMember = async () => (await server.get(`/v1/orgs/${organization}`, { token })).status;
    expect(await isMember()).toBe(404);
    await server.post('/v1/sign-in', { email }, nobody);
    expect((await signIn(codeIn(await box.mailTo(email)))).status).toBe(201);
    expect(await isMember()).toBe(404);
    expect((await signIn(codeIn(mail))).status).toBe(201);
    expect(await isMember()).toBe(200);
    const trail = await server.get(`/v1/orgs/${organization}/audit-events?operation=signIn`);
    expect(trail.body.items).toMatchObject([{ actor: { type: 'user' }, resource: { type: 'member' } }]);
  });

  it('asks for a link, without a token, and signs in by it once', async () => {
    const email = newAddress();
    await invite(email);
    const first = await box.mailTo(email);
    const asked = await server.post('/v1/sign-in', { email: email.toUpperCase() }, nobody);
    expect([asked.status, asked.body]).toEqual([204, '']);
    const second = await box.mailTo(email);
    expect(second.subject).toBe('Sign in to Bindery');
    expect(codeIn(second)).not.toBe(codeIn(first));
    const answers = await Promise.all(Array.from({ length: 16 }, () => signIn(codeIn(second), { label: 'Laptop' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(15).fill(404)]);
    const { body } = answers.find(({ status }) => status === 201) ?? {};
    expect(body.label).toBe('Laptop');
    expect((await server.get('/v1/user', { token: body.token })).status).toBe(200);
  });

  it('cannot be told from somebody without one', async () => {
    const email = newAddress();
    await invite(email);
    const [known, unknown] = await Promise.all([
      server.post('/v1/sign-in', { email }, nobody),
      server.post('/v1/sign-in', { email: newAddress() }, nobody),
    ]);
    const shown = ({ status, body, headers }: typeof known) => [
      status,
      body,
      ...['content-type', 'content-length', 'cache-control', 'vary'].map((name) => headers.get(name)),
    ];
    expect(shown(known)).toEqual(shown(unknown));
  });
});

describe('signing in by mail', () => {
  it.each(
    [
      'nobody',
      'ada@example.com\r\nBcc: eve@example.com',
      'ada@example.com, eve@example.com',
      'Ada <ada@example.com>',
      'ädä@example.com',
      'ada@exämple.com',
      '"ada\\r\\n"@example.com',
      'ada\u0000@example.com',
      `${'a'.repeat(300)}@example.com`,
      `ada@${'example.'.repeat(100_000)}com`,
      '',
      null,
      ['ada@example.com'],
      { $ne: '' },
    ].map((email) => [String(JSON.stringify(email)).slice(0, 50), email] as const),
  )('refuses the address %s by name', async (_, email) => {
    const { status, body } = await server.post('/v1/sign-in', { email }, nobody);
    expect([status, body.error.message]).toEqual([400, expect.stringContaining('email')]);
  });

  it('refuses a wrong label and keeps the code', async () => {
    const email = newAddress();
    await invite(email);
    const code = codeIn(await box.mailTo(email));
    for (const label of ['', 'x'.repeat(51), 7, null]) {
      const { status, body } = await signIn(code, { label });
      expect([status, body.error.message]).toEqual([400, expect.stringContaining('label')]);
    }
    expect((await signIn(code)).status).toBe(201);
  });

  it('answers 404 to codes that nobody was sent', async () => {
    for (const code of ['x', 'A'.repeat(43), '%00', '..%2f..', encodeURIComponent('$ne')])
      expect([code, (await signIn(code)).status]).toEqual([code, 404]);
  });

  it('is 412 where mail is not configured', async () => {
    const answer = await shared().post('/v1/sign-in', { email: 'admin@example.com' }, nobody);
    expect([answer.status, answer.body.error.code]).toEqual([412, 412]);
  });

  it('leaves codes and credentials neither in the log nor in the store', async () => {
    const email = newAddress();
    await invite(email);
    const code = codeIn(await box.mailTo(email));
    const used = await signIn(code);
    const files = await readdir(server.dataDir);
    const stored = files.filter((name) => name.startsWith('bindery.sqlite'));
    const bytes = Buffer.concat(await Promise.all(stored.map((name) => readFile(join(server.dataDir, name)))));
    expect(bytes.includes(email)).toBe(true);
    await server.said(/"operation":"signIn"/);
    for (const secret of [code, used.body.token]) {
      expect(bytes.includes(secret)).toBe(false);
      expect(server.output()).not.toContain(secret);
    }
  });
});

describe('the page of the link', () => {
  it('does not spend the code by being opened', async () => {
    const email = newAddress();
    await invite(email);
    const mail = await box.mailTo(email);
    const link = /https?:\S+/.exec(mail.text)?.[0] ?? '';
    expect((await fetch(link)).status).toBe(200);
    expect((await signIn(codeIn(mail))).status).toBe(201);
  });
});
