import { once } from 'node:events';
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

/** What a browser gets for an address. */
export interface Shown {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

interface VisitOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string | undefined;
}

const agent = new Agent({ keepAlive: true });

/** Asks a server for an address as a browser or its proxy does: its host is in a header, and its path goes as it is. */
export async function visit(
  server: { url: string },
  address: string,
  { method = 'GET', headers = {}, body }: VisitOptions = {},
): Promise<Shown> {
  const [, host = '', path = ''] = /^https?:\/\/([^/?#]*)([^#]*)/.exec(address) ?? [];
  const { hostname, port } = new URL(server.url);
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const asked = request({
    agent,
    hostname,
    port,
    method,
    path: path.startsWith('/') ? path : `/${path}`,
    headers: { host, ...length, ...headers },
  });
  asked.end(body);
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: await text(answer) };
}

/** The text of the first element with this name, without the elements in it. */
export function textIn({ body }: Pick<Shown, 'body'>, element: string): string | undefined {
  const [, inner] = new RegExp(`<${element}(?: [^>]*)?>(.*?)</${element}>`, 's').exec(body) ?? [];
  return inner?.replace(/<[^>]*>/g, '').trim();
}

/** The addresses that links of a page lead to. */
export const linksIn = ({ body }: Pick<Shown, 'body'>): string[] =>
  [...body.matchAll(/<a [^>]*?href="([^"]*)"/g)].map(([, href = '']) => href);

/** The canonical address that a page names. */
export const canonicalIn = ({ body }: Pick<Shown, 'body'>): string | undefined =>
  /<link rel="canonical" href="([^"]*)"/.exec(body)?.[1];

/** The heading of a page with its canonical address; where an answer leads; or the status. */
export function outcomeOf(shown: Shown): string {
  const { status, headers } = shown;
  if (headers.location !== undefined) return `${status} → ${headers.location}`;
  return status === 200 ? `${textIn(shown, 'h1')} @ ${canonicalIn(shown)}` : String(status);
}
