import { invalid } from '../../../shared/errors/errors.js';
import { type Exchange, sendJson } from './reply.js';

/** The path where pages of renderers ask, with credentials, for the id of a browser. */
export const isDevicePath = (path: string): boolean => path === '/__session/2/';

/** Answers with the id that the page proposes: Bindery sets no cookie, so it knows no other. */
export function sendDeviceId(exchange: Exchange, search: string): Promise<void> {
  const proposed = new URLSearchParams(search).get('proposed') ?? '';
  if (!/^[\w-]{1,100}$/.test(proposed))
    throw invalid('proposed: must be 1 to 100 letters, digits, hyphens and underscores');
  exchange.headers['Cache-Control'] = 'no-store';
  return sendJson(exchange, 200, { deviceId: proposed });
}
