import { Resolver } from 'node:dns';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { natsServers } from '../bus/nats.js';

export const cidrSchema = (example: string) =>
  z.string().refine((text) => ipaddr.isValidCIDR(text), `must be a CIDR such as ${example}`);
export const listSetting = (item: z.ZodType<string>) =>
  z.preprocess(
    (value) =>
      typeof value === 'string'
        ? value
            .split(',')
            .map((part) => part.trim())
            .filter(Boolean)
        : value,
    z.array(item).default([]),
  );
export const flag = z.preprocess(
  (value) =>
    typeof value === 'string' ? ({ true: true, '1': true, false: false, '0': false }[value] ?? value) : value,
  z.boolean({ error: 'must be true or false (or 1, 0)' }),
);

/** A base address that paths are appended to. */
export const plainUrl = z.string().refine((text) => {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && hostname !== '' && username === '' && password === '' && !/[?#]/.test(text);
}, 'must be http://host[:port][/path] or https://…, without a query, fragment or credentials');

export const dnsServer = z.string().refine((text) => {
  try {
    new Resolver().setServers([text]);
    return true;
  } catch {
    return false;
  }
}, 'must be IP addresses, each with an optional port, such as 10.0.0.53 or 127.0.0.1:5353');

export const natsUrl = z.string().refine((text) => {
  try {
    return natsServers(text).servers.length > 0;
  } catch {
    return false;
  }
}, 'must be nats://host:4222 or tls://host:4222, several separated by commas');

/** The query parameters that a mail server's URL may have; nodemailer reads them. */
const smtpParameters = ['requireTLS', 'ignoreTLS', 'tls.rejectUnauthorized'];

export const smtpUrl = z.url({ protocol: /^smtps?$/, error: 'must be smtp://host:port or smtps://host:port' }).refine(
  (text) => {
    if (!URL.canParse(text)) return false;
    const { hostname, searchParams } = new URL(text);
    return hostname !== '' && [...searchParams.keys()].every((key) => smtpParameters.includes(key));
  },
  `needs a host, and takes only the parameters ${smtpParameters.join(', ')}`,
);

export const rendererUrl = z
  .url({ protocol: /^https?$/, error: 'must be http(s) URLs such as http://renderer:3000' })
  .refine((text) => {
    if (!URL.canParse(text)) return false;
    const { username, password, search, hash } = new URL(text);
    return username + password + search + hash === '';
  }, 'must have no credentials, query or fragment')
  .transform((text) => text.replace(/\/+$/, ''));

/** `name=value` pairs, whose values may be percent-encoded. */
export const headers = listSetting(
  z.string().regex(/^[\w-]+=([^%\s]|%[0-7][\da-f])*$/i, 'must be name=value, comma-separated'),
).transform((pairs) =>
  Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at), decodeURIComponent(pair.slice(at + 1))];
    }),
  ),
);

const units: Record<string, number> = { '': 1, KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };

/** A number of bytes such as `500 MB` or `10 GB`. */
export const bytes = z.string().transform((text, { issues }) => {
  const [, number = '', unit = ''] = /^(\d{1,9}(?:\.\d{1,3})?) ?([KMGT]B)?$/i.exec(text.trim()) ?? [];
  if (number === '') issues.push({ code: 'custom', input: text, message: 'must be a size such as 500 MB or 10 GB' });
  return Math.floor(Number(number) * (units[unit.toUpperCase()] ?? 1));
});

/** `address` or `Name <address>`. */
export const mailbox = z.string().transform((text, { issues }) => {
  const named = /^([^<>\p{Cc}]{0,100})<([^<>]{1,254})>$/u.exec(text.trim());
  const [name = '', address] = named ? named.slice(1) : ['', text];
  const checked = z.email().safeParse(address?.trim());
  if (!checked.success) issues.push({ code: 'custom', input: text, message: 'must be an address or "Name <address>"' });
  return { name: name.trim().replace(/^"(.*)"$/, '$1'), address: checked.data ?? '' };
});
