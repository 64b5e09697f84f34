/** The answer of an endpoint. */
export type Answer<T> =
  | { kind: 'ok'; value: T }
  /** Refused, for a reason in words. */
  | { kind: 'refused'; status: number; message: string }
  /** No answer, or that of a server that cannot answer now. */
  | { kind: 'unreached' };

interface Asking {
  body?: BodyInit;
  contentType?: string;
  signal?: AbortSignal;
  /** The request is to end though the page is left. */
  keepalive?: boolean;
}

const tokenMeta = (): HTMLMetaElement | null => document.querySelector('meta[name="form-token"]');

/** Takes the token of the session that the browser has now; answers whether it is another one. */
async function renewToken(): Promise<boolean> {
  const meta = tokenMeta();
  const answer = await fetch(location.href, { redirect: 'manual' });
  const [, token] = /<meta name="form-token" content="([\w-]+)"/.exec(answer.ok ? await answer.text() : '') ?? [];
  if (!meta || token === undefined || token === meta.content) return false;
  meta.content = token;
  return true;
}

function send(url: string, { body, contentType, signal, keepalive }: Asking): Promise<Response> {
  const headers: Record<string, string> = { 'X-Form-Token': tokenMeta()?.content ?? '' };
  if (contentType !== undefined) headers['Content-Type'] = contentType;
  return fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers,
    // The way to the sign-in is no answer.
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
    ...(signal ? { signal } : {}),
    ...(keepalive ? { keepalive } : {}),
  });
}

/** Asks an endpoint of the editor: by POST where there is a body. */
async function ask<T>(url: string, asking: Asking, read: (answer: Response) => Promise<T>): Promise<Answer<T>> {
  try {
    let answer = await send(url, asking);
    // Somebody who signed in again has another token.
    if (answer.status === 403 && (await renewToken())) answer = await send(url, asking);
    if (answer.type === 'opaqueredirect') return { kind: 'refused', status: 401, message: '' };
    if (answer.ok) return { kind: 'ok', value: await read(answer) };
    if (answer.status >= 500 || answer.status === 429) return { kind: 'unreached' };
    const { error } = (await answer.json()) as { error?: { message?: string } };
    return { kind: 'refused', status: answer.status, message: error?.message ?? '' };
  } catch {
    return { kind: 'unreached' };
  }
}

const readJson = <T>(answer: Response): Promise<T> => answer.json() as Promise<T>;

/** Sends a value as JSON. */
export const sendJson = <T>(
  url: string,
  value: object,
  options: Pick<Asking, 'signal' | 'keepalive'> = {},
): Promise<Answer<T>> =>
  ask(url, { body: JSON.stringify(value), contentType: 'application/json', ...options }, readJson<T>);

export const getJson = <T>(url: string, signal?: AbortSignal): Promise<Answer<T>> =>
  ask(url, signal ? { signal } : {}, readJson<T>);

export const sendFile = <T>(url: string, file: Blob): Promise<Answer<T>> =>
  ask(url, { body: file, contentType: file.type || 'application/octet-stream' }, readJson<T>);

/** Sends a value as JSON for an answer in HTML. */
export const sendForHtml = (url: string, value: object, signal: AbortSignal): Promise<Answer<string>> =>
  ask(url, { body: JSON.stringify(value), contentType: 'application/json', signal }, (answer) => answer.text());
