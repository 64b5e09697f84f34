import { type Failure, failureOf } from '../../../shared/errors/errors.js';
import { escapeHtml } from '../../../shared/text/escaped-html.js';
import { prefersJson } from '../http/accept.js';
import { type Exchange, sendFailure } from '../http/reply.js';
import { sendPage } from './html-page.js';

/** Sends errors as pages with this title, or in the official shape to a client that prefers JSON. */
export const failurePage =
  (title: string) =>
  async (exchange: Exchange, error: unknown): Promise<Failure> => {
    if (prefersJson(exchange.request)) return sendFailure(exchange, error);
    const failure = failureOf(error);
    const { headers } = exchange;
    headers['Cache-Control'] = 'no-store';
    if (failure.status === 503) headers['Retry-After'] = '1';
    if (failure.status === 413) headers.Connection = 'close';
    const { allow } = error as { allow?: string[] };
    if (allow) headers.Allow = allow.join(', ');
    const lines = [
      `<h1>${title}</h1>`,
      `<p role="alert">${escapeHtml(failure.message)}</p>`,
      `<p>Request <code>${escapeHtml(exchange.requestId)}</code></p>`,
    ];
    await sendPage(exchange, failure.status, { title, main: lines.join('\n') });
    return failure;
  };
