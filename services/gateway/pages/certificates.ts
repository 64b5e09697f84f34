import type { Call } from '../../../shared/contract/service.js';
import { invalid } from '../../../shared/errors/errors.js';
import { isSiteHost } from '../../sites/contract.js';
import { type Exchange, sendContent } from '../http/reply.js';

/** Where a proxy that gets certificates by itself asks whether it may get one. */
export const certificatePath = '/~tls';

const hostName = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/;

/** Answers 200 for the host name of a site and 404 for any other: nobody may have certificates made without end. */
export async function answerCertificate(exchange: Exchange, search: string, call: Call): Promise<void> {
  const host = new URLSearchParams(search).get('domain')?.toLowerCase() ?? '';
  if (!hostName.test(host)) throw invalid('domain: must be a host name');
  const known = await call(isSiteHost, { host });
  exchange.headers['Cache-Control'] = 'no-store';
  await sendContent(exchange, known ? 200 : 404, 'text/plain; charset=utf-8', known ? 'a site\n' : 'not a site\n');
}
