import { once } from 'node:events';
import { SMTPServer } from 'smtp-server';

export interface Received {
  from: string;
  to: string[];
  /** The message as received. */
  source: string;
  headers: Record<string, string>;
  subject: string;
  text: string;
  html: string;
}

/** A real mail server that keeps the mails that it receives. */
export interface Mailbox {
  url: string;
  received: Received[];
  /** The user and password of the last login. */
  login?: { user: string; password: string };
  /** Waits for the first mail to an address that was not returned before. */
  mailTo(address: string): Promise<Received>;
  /** The refusal for this recipient; undefined accepts the mail. */
  refuse: (address: string) => { message: string; responseCode: number } | undefined;
  /** Requires a login before it accepts mail. */
  holds: Promise<void>;
  close(): Promise<void>;
}

export async function openMailbox({ host = '127.0.0.1', port = 0, login = false } = {}): Promise<Mailbox> {
  const handed = new Set<Received>();
  const waiting = new Set<() => void>();
  const server = new SMTPServer({
    closeTimeout: 100,
    disabledCommands: login ? ['STARTTLS'] : ['STARTTLS', 'AUTH'],
    allowInsecureAuth: true,
    authOptional: !login,
    onAuth({ username, password }, _session, done) {
      mailbox.login = { user: username ?? '', password: password ?? '' };
      done(null, { user: username ?? '' });
    },
    onRcptTo({ address }, _session, done) {
      const refusal = mailbox.refuse(address);
      done(refusal ? Object.assign(new Error(refusal.message), refusal) : undefined);
    },
    async onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk as Buffer);
      const from = envelope.mailFrom ? envelope.mailFrom.address : '';
      const to = envelope.rcptTo.map(({ address }) => address);
      mailbox.received.push({ from, to, ...read(Buffer.concat(chunks).toString('utf8')) });
      for (const look of waiting) look();
      await mailbox.holds;
      done();
    },
  });
  server.on('error', () => {});
  server.listen(port, host);
  await once(server.server, 'listening');
  const address = server.server.address() as { port: number };
  const mailbox: Mailbox = {
    url: `smtp://${host}:${address.port}`,
    received: [],
    refuse: () => undefined,
    holds: Promise.resolve(),
    mailTo: (recipient) =>
      new Promise((resolve) => {
        const look = () => {
          const mail = mailbox.received.find((one) => !handed.has(one) && one.to.includes(recipient));
          if (!mail) return void waiting.add(look);
          waiting.delete(look);
          handed.add(mail);
          resolve(mail);
        };
        look();
      }),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return mailbox;
}

/** The code of the sign-in link in a mail. */
export function codeIn({ text }: Received): string {
  const code = /\/app\/sign-in\?code=([\w-]+)/.exec(text)?.[1];
  if (!code) throw new Error(`no link in: ${text}`);
  return code;
}

type Part = { headers: Record<string, string>; body: string };

function split(source: string): Part {
  const end = source.indexOf('\r\n\r\n');
  const lines = source
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
    .map((line) => line.split(/:\s*/, 1).concat(line.slice(line.indexOf(':') + 1).trim()))
    .map(([name = '', value = '']) => [name.toLowerCase(), value]);
  return { headers: Object.fromEntries(lines), body: source.slice(end + 4) };
}

function read(source: string): Omit<Received, 'from' | 'to'> {
  const whole = split(source);
  const boundary = /boundary="([^"]+)"/.exec(whole.headers['content-type'] ?? '')?.[1];
  const parts = boundary
    ? whole.body
        .split(`--${boundary}`)
        .slice(1, -1)
        .map((part) => split(part.slice(2)))
    : [whole];
  const of = (type: string) => parts.find(({ headers }) => headers['content-type']?.startsWith(type));
  return {
    source,
    headers: whole.headers,
    subject: words(whole.headers.subject ?? ''),
    text: decoded(of('text/plain')),
    html: decoded(of('text/html')),
  };
}

const quoted = (text: string) =>
  Buffer.from(
    text.replace(/=\r?\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8');

function decoded(part: Part | undefined): string {
  const encoding = part?.headers['content-transfer-encoding']?.toLowerCase();
  if (encoding === 'base64') return Buffer.from(part?.body ?? '', 'base64').toString('utf8');
  return encoding === 'quoted-printable' ? quoted(part?.body ?? '') : (part?.body ?? '');
}

/** Encoded words, `=?UTF-8?Q?…?=`, become text. */
const words = (header: string) =>
  header
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      kind.toLowerCase() === 'b' ? Buffer.from(text, 'base64').toString('utf8') : quoted(text.replaceAll('_', ' ')),
    );
