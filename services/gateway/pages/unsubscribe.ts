import type { Call } from '../../../shared/contract/service.js';
import { invalid } from '../../../shared/errors/errors.js';
import { readBytes } from '../../../shared/http/body.js';
import { unsubscribe } from '../../identity/contract.js';
import type { Exchange } from '../http/reply.js';
import { checkMethod } from '../http/request.js';
import { type HtmlPage, sendPage } from './html-page.js';

export const unsubscribePath = '/unsubscribe';

/** Mail programs send one short field. */
const bodyLimit = 16 * 1024;

const offer: HtmlPage = {
  title: 'Mails about comments',
  main: `<h1>Mails about comments</h1>
<p>Bindery sends you a mail when somebody mentions you in a comment or replies to you.</p>
<form method="post"><button type="submit">Stop these mails</button></form>`,
  hasForm: true,
};

const stopped: HtmlPage = {
  title: 'Mails about comments are off',
  main: `<h1>Mails about comments are off</h1>
<p role="status">Bindery no longer sends you mails about comments. Mails with which you sign in or join an organization still come.</p>
<p>To turn them on again, send <code>{"commentMails": true}</code> to <code>PATCH /v1/users/{userId}</code> with your own id and API
token.</p>`,
};

/** Turns off mails about comments by POST, as mail programs do it (RFC 8058). GET only offers that: mail scanners follow links. */
export async function exchangeUnsubscribe(exchange: Exchange, search: string, call: Call): Promise<void> {
  const { request, headers } = exchange;
  headers['Cache-Control'] = 'no-store';
  checkMethod(request, ['GET', 'HEAD', 'POST']);
  const [token, ...others] = new URLSearchParams(search).getAll('token');
  if (!token || others.length > 0) throw invalid('token: must be given exactly once');
  if (request.method !== 'POST') return sendPage(exchange, 200, offer);
  // The body is read though it does not matter: a client that is answered early may take it for a failure.
  await readBytes(request, bodyLimit);
  if (!(await call(unsubscribe, { token })))
    throw invalid('token: not valid; take the whole link from the latest mail');
  return sendPage(exchange, 200, stopped);
}
