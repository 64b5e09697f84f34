import { invalid } from '../../../shared/errors.js';
import { type Exchange, sendJson } from './reply.js';

/** Where pages of renderers ask, with credentials, under which id a browser visits. */
export const isDevicePath = (path: string): boolean => path === '/__session/2/';

/** The id that the page proposes: Bindery sets no cookie by which it would know another one. */
export function sendDeviceId(exchange: Exchange, search: string): Promise<void> {
  const proposed = new URLSearchParams(search).get('proposed') ?? '';
  if (!/^[\w-]{1,100}$/.test(proposed))
    throw invalid('proposed: must be 1 to 100 letters, digits, hyphens and underscores');
  exchange.headers['Cache-Control'] = 'no-store';
  return sendJson(exchange, 200, { deviceId: proposed });
}
