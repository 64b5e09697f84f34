import { isIP } from 'node:net';
import type { Transporter } from 'nodemailer';
import type { Config } from '../settings/config.js';
import { scaleMs } from '../settings/time-scale.js';

export interface Message {
  /** Identifies the message: one that is sent again after an unclear failure has the same id. */
  id: string;
  /** One address. */
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Ends such mails by a POST, which mail programs send in the name of the reader (RFC 8058). */
  unsubscribeURL?: string;
}

/** Sends mails where a mail server is configured. */
export interface Mail {
  configured: boolean;
  /** Resolves when the server has accepted the message. Throws an error with `permanent: true` when the server refuses it for good. */
  send(message: Message): Promise<void>;
  close(): Promise<void>;
}

export type MailConfig = Pick<Config, 'SMTP_URL' | 'MAIL_FROM' | 'baseUrl'>;

const timeouts = {
  dnsTimeout: scaleMs(5_000),
  connectionTimeout: scaleMs(10_000),
  greetingTimeout: scaleMs(10_000),
  socketTimeout: scaleMs(20_000),
};

/** Connects with the first message, not before. */
export function openMail(config: MailConfig): Mail {
  const { SMTP_URL } = config;
  if (SMTP_URL === undefined) return noMail;
  const from = mailSender(config);
  let opened: Promise<Transporter> | undefined;
  return {
    configured: true,
    async send({ id, to, unsubscribeURL, ...content }) {
      opened ??= openTransport(SMTP_URL);
      const transport = await opened;
      const messageId = `<${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`;
      await transport
        .sendMail({ from, to: { name: '', address: to }, messageId, ...content, ...mailHeaders(unsubscribeURL) })
        .catch((error) => Promise.reject(asFailure(error)));
    },
    async close() {
      (await opened)?.close();
    },
  };
}

const noMail: Mail = {
  configured: false,
  send: () => Promise.reject(Object.assign(new Error('no mail server is configured'), { permanent: true })),
  close: async () => {},
};

function mailHeaders(unsubscribeURL: string | undefined) {
  const headers = { 'Auto-Submitted': 'auto-generated' };
  if (unsubscribeURL === undefined) return { headers };
  const oneClick = { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
  return { headers: { ...headers, ...oneClick }, list: { unsubscribe: unsubscribeURL } };
}

async function openTransport(url: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  const sealed = { disableFileAccess: true, disableUrlAccess: true };
  return createTransport({ url, requireTLS: needsTls(url), ...timeouts, ...sealed });
}

/** Credentials are sent without TLS only on this machine. */
function needsTls(url: string): boolean {
  const { hostname, username } = new URL(url);
  return username !== '' && !['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

function mailSender({ MAIL_FROM, baseUrl }: MailConfig): { name: string; address: string } {
  if (MAIL_FROM) return MAIL_FROM;
  const host = new URL(baseUrl).hostname;
  const ipv6 = host.startsWith('[') ? `[IPv6:${host.slice(1)}` : host;
  return { name: 'Bindery', address: `no-reply@${isIP(host) ? `[${host}]` : ipv6}` };
}

/** Only a refusal of the message itself is permanent. An operator can correct refused credentials. */
function asFailure(error: Error & { code?: string; permanent?: boolean }): Error {
  const refused = error.code === 'EENVELOPE' || error.code === 'EMESSAGE';
  return Object.assign(new Error(error.message), { permanent: refused && error.permanent === true });
}

const graceMs = scaleMs(3_000);

/** Gives a mail that is being sent `graceMs` when the process stops. After that the next start sends it again. */
export async function unlessStopped(signal: AbortSignal, sending: Promise<void>): Promise<void> {
  let late: NodeJS.Timeout | undefined;
  let wait = () => {};
  const stopped = new Promise<never>((_, reject) => {
    wait = () => {
      late = setTimeout(() => reject(signal.reason), graceMs);
    };
    if (signal.aborted) wait();
    else signal.addEventListener('abort', wait);
  });
  try {
    await Promise.race([sending, stopped]);
  } finally {
    // The signal outlives the mail.
    signal.removeEventListener('abort', wait);
    clearTimeout(late);
  }
}

export type HasMail = { mail: Mail };
