import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Call } from '../../shared/contract/service.js';
import { apiError, type Failure, failureOf, invalid, notFound } from '../../shared/errors.js';
import { finishSamlSignIn, samlMetadata, startSamlSignIn } from '../identity/contract.js';
import { type Exchange, send, sendFailure, sendJson } from './reply.js';

const samlPattern = /^\/saml\/([\w-]{1,100})\/(metadata|start|acs)$/;
const bodyLimit = 256 * 1024;

export const isSamlPath = (path: string): boolean => path.startsWith('/saml/');

/** The exchange between identity provider and browser: our metadata, the way there, and the way back. */
export async function exchangeSaml(exchange: Exchange, path: string, call: Call): Promise<void> {
  const { request, headers } = exchange;
  headers['Cache-Control'] = 'no-store';
  const [, provider, step] = samlPattern.exec(path) ?? [];
  if (!provider) throw notFound('Path');
  checkMethod(request, step === 'acs' ? ['POST'] : ['GET', 'HEAD']);
  if (step === 'metadata') {
    const { xml } = await call(samlMetadata, { provider });
    return send(exchange, 200, 'application/samlmetadata+xml; charset=utf-8', xml);
  }
  if (step === 'start') {
    headers.Location = (await call(startSamlSignIn, { provider })).redirect;
    return send(exchange, 302, undefined);
  }
  const response = await readResponse(request);
  const signedIn = await call(finishSamlSignIn, { provider, response });
  if (prefersJson(request)) return sendJson(exchange, 200, signedIn);
  const { token, expiresAt, user } = signedIn;
  return sendPage(exchange, 200, 'You are signed in', [
    `<p>Signed in as ${escaped(user.displayName)}${user.email ? ` (${escaped(user.email)})` : ''}.</p>`,
    '<p id="about">This API token is shown once. Copy it now, and send it as <code>Authorization: Bearer</code>.</p>',
    `<p><code class="token" aria-describedby="about">${escaped(token)}</code></p>`,
    `<p>It counts until <time datetime="${expiresAt}">${expiresAt}</time>, for this organization alone.</p>`,
  ]);
}

function checkMethod({ method = 'GET' }: IncomingMessage, allow: string[]): void {
  if (allow.includes(method)) return;
  const error = apiError('METHOD_NOT_ALLOWED', `${method} is not possible here; ${allow.join(', ')} is`);
  throw Object.assign(error, { allow });
}

/** The one field `SAMLResponse` of the form that the identity provider has the browser post. */
async function readResponse(request: IncomingMessage): Promise<string> {
  const type = String(request.headers['content-type'] ?? '').split(';')[0];
  if (type?.trim().toLowerCase() !== 'application/x-www-form-urlencoded')
    throw apiError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/x-www-form-urlencoded');
  const [response, ...others] = new URLSearchParams(await readText(request)).getAll('SAMLResponse');
  if (!response || others.length > 0) throw invalid('SAMLResponse: must be there once');
  return response;
}

async function readText(request: IncomingMessage): Promise<string> {
  const tooLarge = apiError('TOO_LARGE', `The body is larger than ${bodyLimit / 1024} KiB, the most a sign-in takes`);
  if (Number(request.headers['content-length'] ?? 0) > bodyLimit) throw tooLarge;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > bodyLimit) throw tooLarge;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** How much a client wants a type, 0 to 1; what the header does not name counts by its wildcards. */
function wish(accept: string, type: string): number {
  const wishes = new Map(
    accept.split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
      const q = parameters.find((parameter) => parameter.startsWith('q='));
      return [name, q === undefined ? 1 : Number(q.slice(2)) || 0];
    }),
  );
  return wishes.get(type) ?? wishes.get(`${type.split('/')[0]}/*`) ?? wishes.get('*/*') ?? 0;
}

const prefersJson = ({ headers }: IncomingMessage): boolean => {
  const accept = headers.accept ?? '*/*';
  return wish(accept, 'application/json') > wish(accept, 'text/html');
};

const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => signs[sign] ?? sign);

const style = `
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 3rem auto; padding: 0 1rem; color: #1a1a1a; background: #fff }
.token { display: block; padding: .75rem; border: 1px solid #767676; border-radius: .25rem; overflow-wrap: anywhere; user-select: all }
@media (prefers-color-scheme: dark) { body { color: #eee; background: #111 } }
`;
const pagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** `lines`: HTML, with what comes from elsewhere escaped. */
function sendPage(exchange: Exchange, status: number, title: string, lines: string[]): Promise<void> {
  exchange.headers['Content-Security-Policy'] = pagePolicy;
  const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – Bindery</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${lines.join('\n')}
</main>
</body>
</html>
`;
  return send(exchange, status, 'text/html; charset=utf-8', page);
}

/** An error for a person at a browser, or in the official shape for a client that prefers JSON. */
export async function sendSamlFailure(exchange: Exchange, error: unknown): Promise<Failure> {
  if (prefersJson(exchange.request)) return sendFailure(exchange, error);
  const failure = failureOf(error);
  const { headers } = exchange;
  headers['Cache-Control'] = 'no-store';
  if (failure.status === 503) headers['Retry-After'] = '1';
  if (failure.status === 413) headers.Connection = 'close';
  const { allow } = error as { allow?: string[] };
  if (allow) headers.Allow = allow.join(', ');
  await sendPage(exchange, failure.status, 'The sign-in did not succeed', [
    `<p role="alert">${escaped(failure.message)}</p>`,
    `<p>Request <code>${escaped(exchange.requestId)}</code></p>`,
  ]);
  return failure;
}
