import type { WebAnswer } from '../../../shared/http/web-answer.js';
import { type Exchange, knownVersions, type NamedText, sendBytes, sendContent, sendMessage } from '../http/reply.js';

/** Sends what a service answered a browser: 304 to a browser that has it. */
export async function sendWebAnswer(
  exchange: Exchange,
  { status, headers, body = '', coding, name }: WebAnswer,
): Promise<void> {
  const { request } = exchange;
  const { 'Content-Type': type, ...others } = headers;
  // What is not for everybody is for pages of its own host alone.
  if (!String(others['Cache-Control']).startsWith('public')) delete exchange.headers['Access-Control-Allow-Origin'];
  Object.assign(exchange.headers, others);
  if (type === undefined || !String(type).startsWith('text/html'))
    exchange.headers['Content-Security-Policy'] ??= "default-src 'none'; frame-ancestors 'none'";
  if (name !== undefined && status === 200) {
    exchange.headers.ETag = `W/"${name}"`;
    if (knownVersions(request.headers['if-none-match'] ?? '').includes(name))
      return sendContent(exchange, 304, undefined);
  }
  if (status === 413) return sendMessage(exchange, status, String(type), body);
  if (coding === 'base64') {
    exchange.headers['Content-Type'] = String(type);
    return sendBytes(exchange, status, Buffer.from(body, 'base64'));
  }
  return sendContent(exchange, status, type === undefined ? undefined : String(type), contentOf(body, name));
}

/** Content with a name is compressed once. */
const contentOf = (body: string, name: string | undefined): string | NamedText =>
  name === undefined ? body : { text: body, name };
