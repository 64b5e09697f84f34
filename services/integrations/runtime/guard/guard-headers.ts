import type { IncomingHttpHeaders } from 'node:http';

/** Gives the script the reason why a request was not made: the text, URI-encoded. */
export const refusedHeader = 'x-bindery-refused';

/** Headers of one connection, in either direction. */
const hopHeaders =
  'connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade';
const notSent = new Set(`${hopHeaders} host content-length expect accept-encoding`.split(' '));
const notReceived = new Set(`${hopHeaders} content-length ${refusedHeader}`.split(' '));
/** Headers that only a proxy may send to the API. */
const ofProxies = /^(forwarded|x-forwarded-.*|x-real-ip)$/;

export function sentHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const sent: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !notSent.has(name)) sent[name] = Array.isArray(value) ? value.join(', ') : value;
  return sent;
}

export const apiHeaders = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(sentHeaders(headers)).filter(([name]) => !ofProxies.test(name)));

type Headers = Record<string, string | string[]>;

export const receivedHeaders = (headers: Record<string, string | string[] | undefined>): Headers =>
  Object.fromEntries(
    Object.entries(headers).filter(([name, value]) => value !== undefined && !notReceived.has(name)),
  ) as Headers;

/** Headers for the script of an answer that was decoded, and whose repeated headers were joined: cookies are split again. */
export function decodedHeaders(headers: Record<string, string>): Headers {
  const { 'content-encoding': _, 'set-cookie': cookies, ...rest } = headers;
  const received = receivedHeaders(rest);
  // A comma within a cookie stands before a space and no name, as in dates.
  return cookies === undefined ? received : { ...received, 'set-cookie': cookies.split(/, (?=[^\s;,=]+=)/) };
}
