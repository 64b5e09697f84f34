/** The answer of an endpoint. */
export type Answer<T> =
  | { kind: 'ok'; value: T }
  /** Refused, for a reason in words; `reason` is the same for programs. */
  | { kind: 'refused'; status: number; message: string; reason: string }
  /** No answer, or that of a server that cannot answer now. */
  | { kind: 'unreached' };

interface Asking {
  body?: BodyInit;
  contentType?: string;
  signal?: AbortSignal;
  /** The request is to end though the page is left. */
  keepalive?: boolean;
}

const metaOf = (name: string): HTMLMetaElement => document.querySelector(`meta[name="${name}"]`) as HTMLMetaElement;

/** Milliseconds that an answer may take, and that one to a file may. */
const maxWaitMs = 30_000;
const maxUploadMs = 300_000;

/** Takes the token of the session that the browser has now, if it is another one of the same person; answers whether it did. */
async function renewToken(): Promise<boolean> {
  const answer = await fetch(metaOf('user').dataset.session as string, {
    redirect: 'manual',
    signal: AbortSignal.timeout(maxWaitMs),
  });
  if (!answer.ok) return false;
  const { user, token } = (await answer.json()) as { user: string; token: string };
  const meta = metaOf('form-token');
  if (user !== metaOf('user').content || token === meta.content) return false;
  meta.content = token;
  return true;
}

function send(url: string, { body, contentType, signal, keepalive }: Asking): Promise<Response> {
  const headers: Record<string, string> = { 'X-Form-Token': metaOf('form-token').content };
  if (contentType !== undefined) headers['Content-Type'] = contentType;
  const deadline = AbortSignal.timeout(body instanceof Blob ? maxUploadMs : maxWaitMs);
  return fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers,
    // The way to the sign-in is no answer.
    redirect: 'manual',
    signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    ...(body === undefined ? {} : { body }),
    ...(keepalive ? { keepalive } : {}),
  });
}

/** Why a token is refused that is not of the session; a missing right has a reason of its own. */
const formRefused = 'forbidden';
const signedOut: Answer<never> = { kind: 'refused', status: 401, message: '', reason: 'unauthenticated' };

async function refusalOf(answer: Response): Promise<Answer<never>> {
  const { error } = (await answer.json()) as { error: { message: string; reason: string } };
  return { kind: 'refused', status: answer.status, ...error };
}

/** Asks an endpoint of the editor: by POST where there is a body. */
async function ask<T>(url: string, asking: Asking, read: (answer: Response) => Promise<T>): Promise<Answer<T>> {
  try {
    for (let isNew = false; ; isNew = true) {
      const answer = await send(url, asking);
      if (answer.type === 'opaqueredirect') return signedOut;
      if (answer.ok) return { kind: 'ok', value: await read(answer) };
      if (answer.status >= 500 || answer.status === 429) return { kind: 'unreached' };
      const refusal = await refusalOf(answer);
      if (refusal.kind !== 'refused' || refusal.reason !== formRefused) return refusal;
      // Whoever signed in again has another token. Somebody else must not write in the name of this person.
      if (isNew || !(await renewToken())) return signedOut;
    }
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
