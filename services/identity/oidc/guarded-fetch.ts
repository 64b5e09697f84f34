import type { CustomFetch } from 'openid-client';
import type { Outbound } from '../../../shared/outbound/client.js';

/** Bytes of an answer: metadata, keys, tokens or claims. */
const maxAnswerBytes = 128 * 1024;
const withoutBody = new Set([204, 205, 304]);

/**
 * Makes the `fetch` of the library from the guarded client: to public addresses, bounded in time and size, without redirects. Of equal reads at
 * the same time one is sent.
 */
export function guardedFetch(
  outbound: Outbound,
  { owner, timeoutMs }: { owner: string; timeoutMs: number },
): CustomFetch {
  const reads = new Map<string, Promise<Answer>>();
  const send = async (url: string, { method, headers, body }: Sent): Promise<Answer> => {
    const content = body === undefined || body === null ? {} : { body: String(body) };
    return outbound.fetch(url, {
      owner,
      method,
      headers,
      ...content,
      timeoutMs,
      maxBytes: maxAnswerBytes,
      maxRedirects: 0,
    });
  };
  const sendOnce = (url: string, sent: Sent): Promise<Answer> => {
    const known = reads.get(url);
    if (known) return known;
    const read = send(url, sent).finally(() => reads.delete(url));
    reads.set(url, read);
    return read;
  };
  return async (url, options) => {
    const isShared =
      options.method === 'GET' && !Object.keys(options.headers).some((name) => /^authorization$/i.test(name));
    const { status, headers, body } = await (isShared ? sendOnce(url, options) : send(url, options));
    const { 'content-encoding': _, 'content-length': __, ...kept } = headers;
    return new Response(withoutBody.has(status) ? null : new Uint8Array(body), { status, headers: kept });
  };
}

type Sent = Parameters<CustomFetch>[1];
type Answer = Awaited<ReturnType<Outbound['fetch']>>;
