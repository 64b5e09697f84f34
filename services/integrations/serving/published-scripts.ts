import type { Outcome } from '../runtime/runtime.js';
import { errorTextOf, scriptFault } from './ask-script.js';
import { cacheControlOf } from './cache-control.js';

type Answer = Pick<Outcome, 'status' | 'headers' | 'body'>;

const javascript = /^(text|application)\/(x-)?(java|ecma)script\b/i;
const usualCaching = 'public, max-age=300';
const noScript = Buffer.from('/* The integration has no script for this page. */\n');
/** Statuses by which scripts say that they do not handle an event. */
const unhandled = new Set([400, 404, 406]);

/**
 * The JavaScript that pages load, from what a script answered. One that has nothing to add is answered with a script that does nothing; a page
 * shows no error then. Throws 422 for a script that fails: its page goes on without it.
 */
export function publishedScriptIn(outcome: Answer): Answer {
  const { status } = outcome;
  if (unhandled.has(status)) return scriptWith({ headers: [], body: noScript });
  if (status < 200 || status > 299) throw scriptFault(errorTextOf(outcome) ?? `it answered ${status}`);
  return scriptWith(outcome);
}

function scriptWith({ headers, body }: Pick<Answer, 'headers' | 'body'>): Answer {
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  const encoding = headers.filter(([name]) => name.toLowerCase() === 'content-encoding');
  return {
    status: 200,
    headers: [
      ['content-type', javascript.test(type) ? type : 'application/javascript; charset=utf-8'],
      ['cache-control', cacheControlOf(headers) ?? usualCaching],
      ['access-control-allow-origin', '*'],
      ['cross-origin-resource-policy', 'cross-origin'],
      ...encoding,
    ],
    body,
  };
}
