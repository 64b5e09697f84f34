import { freePort } from '../process/free-port.js';
import { readConfig } from '../settings/config.js';
import { type Mailbox, openMailbox } from '../testing/mailbox.js';
import { type Mail, openMail } from './mail.js';

const message = {
  id: 'message-1',
  to: 'ada@example.com',
  subject: 'Überraschung für Ada',
  text: 'Grüße, Ada.\n',
  html: '<p>Grüße, <b>Ada</b>.</p>\n',
};

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

async function mailbox(options: Parameters<typeof openMailbox>[0] = {}): Promise<Mailbox> {
  const opened = await openMailbox(options);
  open.push(opened);
  return opened;
}

function mailer(settings: Record<string, string>): Mail {
  const mail = openMail(readConfig(settings));
  open.push(mail);
  return mail;
}

const failureOf = (sending: Promise<void>) =>
  sending.then(
    () => null,
    (error: Error & { permanent?: boolean }) => error,
  );

describe('mail', () => {
  it('arrives as text and as HTML, from the address of the installation', async () => {
    const box = await mailbox();
    const mail = mailer({ SMTP_URL: box.url, BASE_URL: 'https://docs.example.com/bindery' });
    expect(mail.configured).toBe(true);
    await mail.send(message);
    const received = await box.mailTo(message.to);
    expect(received).toMatchObject({
      from: 'no-reply@docs.example.com',
      to: [message.to],
      subject: message.subject,
      headers: {
        from: 'Bindery <no-reply@docs.example.com>',
        to: message.to,
        'message-id': '<message-1@docs.example.com>',
        'auto-submitted': 'auto-generated',
      },
    });
    expect(received.text.replaceAll('\r\n', '\n')).toContain(message.text);
    expect(received.html.replaceAll('\r\n', '\n')).toContain(message.html);
  });

  it('tells programs how to end such mails, where it can be done', async () => {
    const box = await mailbox();
    const mail = mailer({ SMTP_URL: box.url });
    const unsubscribeURL = `https://docs.example.com/unsubscribe?token=${'a.b-'.repeat(80)}`;
    await mail.send({ ...message, unsubscribeURL });
    const { headers, source } = await box.mailTo(message.to);
    expect(headers['list-unsubscribe']).toBe(`<${unsubscribeURL}>`);
    expect(source).toContain(` <${unsubscribeURL}>\r\n`);
    expect(headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
    await mail.send(message);
    const other = await box.mailTo(message.to);
    expect(Object.keys(other.headers).filter((name) => name.startsWith('list-'))).toEqual([]);
  });

  it.each([
    [{ MAIL_FROM: 'docs@example.com' }, 'docs@example.com', 'docs@example.com'],
    [{ MAIL_FROM: 'The "Docs" of Zoë <docs@example.com>' }, 'docs@example.com', '<docs@example.com>'],
    [{ BASE_URL: 'http://127.0.0.1:4000' }, 'no-reply@[127.0.0.1]', 'Bindery <no-reply@[127.0.0.1]>'],
    [{ BASE_URL: 'http://[::1]:4000' }, 'no-reply@[IPv6:::1]', 'Bindery <no-reply@[ipv6:::1]>'],
  ])('with %j it comes from %s', async (settings, from, header) => {
    const box = await mailbox();
    await mailer({ SMTP_URL: box.url, ...settings }).send(message);
    const received = await box.mailTo(message.to);
    expect(received.from).toBe(from);
    expect(received.headers.from).toContain(header);
  });

  it('logs in with the credentials of the URL', async () => {
    const box = await mailbox({ login: true });
    const url = box.url.replace('smtp://', 'smtp://docs%40example.com:p%23ss%2Fw%C3%B6rd@');
    await mailer({ SMTP_URL: url }).send(message);
    expect(box.login).toEqual({ user: 'docs@example.com', password: 'p#ss/wörd' });
  });

  it('does not send credentials without TLS to another machine, unless configured to', async () => {
    const box = await mailbox({ host: '127.0.0.2', login: true });
    const url = box.url.replace('smtp://', 'smtp://ada:secret@');
    expect(await failureOf(mailer({ SMTP_URL: url }).send(message))).toMatchObject({
      message: expect.stringContaining('STARTTLS'),
    });
    expect(box.login).toBeUndefined();
    await mailer({ SMTP_URL: `${url}?requireTLS=false` }).send(message);
    expect(box.login).toEqual({ user: 'ada', password: 'secret' });
  });

  it('cannot be given a second address or header', async () => {
    const box = await mailbox();
    const mail = mailer({ SMTP_URL: box.url });
    await mail.send({ ...message, subject: 'One\r\nBcc: eve@example.com\r\n\r\nTwo' });
    const received = await box.mailTo(message.to);
    expect(received.headers).not.toHaveProperty('bcc');
    expect(received.to).toEqual([message.to]);
    await failureOf(mail.send({ ...message, to: 'ada@example.com, eve@example.com' }));
    await failureOf(mail.send({ ...message, to: 'bob@example.com>\r\nRCPT TO:<eve@example.com' }));
    expect(box.received.flatMap(({ to }) => to)).not.toContain('eve@example.com');
  });

  it('says which failures are permanent', async () => {
    const box = await mailbox();
    const mail = mailer({ SMTP_URL: box.url });
    box.refuse = () => ({ message: 'no such user', responseCode: 550 });
    expect(await failureOf(mail.send(message))).toMatchObject({ permanent: true });
    box.refuse = () => ({ message: 'try later', responseCode: 451 });
    expect(await failureOf(mail.send(message))).toMatchObject({ permanent: false });
    const nobody = mailer({ SMTP_URL: `smtp://127.0.0.1:${await freePort()}` });
    expect(await failureOf(nobody.send(message))).toMatchObject({ permanent: false });
  });

  it('is refused where no server is configured', async () => {
    const mail = mailer({});
    expect(mail.configured).toBe(false);
    expect(await failureOf(mail.send(message))).toMatchObject({ permanent: true });
  });
});
