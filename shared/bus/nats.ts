import type { NatsError } from 'nats';
import { scaleMs } from '../settings/time-scale.js';

export interface NatsServers {
  servers: string[];
  user?: string;
  pass?: string;
  /** Set where an address is `tls://`: the client then refuses a server without TLS. */
  tls?: Record<string, never>;
}

/** The client options for a comma-separated list of addresses. Throws when an address is invalid. */
export function natsServers(list: string): NatsServers {
  const urls = list
    .split(',')
    .map((text) => text.trim())
    .filter(Boolean)
    .map((text) => new URL(text));
  for (const { protocol, hostname, pathname, search } of urls)
    if (!/^(nats|tls):$/.test(protocol) || !hostname || !/^\/?$/.test(pathname) || search)
      throw new Error('invalid address');
  const login = urls.find(({ username }) => username !== '');
  return {
    servers: urls.map(({ host }) => host),
    ...(login ? { user: decodeURIComponent(login.username), pass: decodeURIComponent(login.password) } : {}),
    ...(urls.some(({ protocol }) => protocol === 'tls:') ? { tls: {} } : {}),
  };
}

/** Throws when no server accepts a connection. */
export async function checkNats(list: string): Promise<void> {
  const options = natsServers(list);
  const { connect } = await import('nats');
  try {
    const connection = await connect({ ...options, timeout: scaleMs(20_000), maxReconnectAttempts: 0 });
    await connection.close();
  } catch (error) {
    const { code, message } = error as NatsError;
    throw new Error(
      `NATS_URL: no connection to ${options.servers.join(', ')} (${code || message}): start NATS, or correct the setting`,
    );
  }
}
