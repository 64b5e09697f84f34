import type { NatsError } from 'nats';

export interface NatsServers {
  servers: string[];
  user?: string;
  pass?: string;
  /** Set where an address asks for it: the client then refuses a server without. */
  tls?: Record<string, never>;
}

/** The client's options of a comma-separated list of addresses. Throws when one is wrong. */
export function natsServers(list: string): NatsServers {
  const urls = list
    .split(',')
    .map((text) => text.trim())
    .filter(Boolean)
    .map((text) => new URL(text));
  for (const { protocol, hostname, pathname, search } of urls)
    if (!/^(nats|tls):$/.test(protocol) || !hostname || !/^\/?$/.test(pathname) || search)
      throw new Error('wrong address');
  const login = urls.find(({ username }) => username !== '');
  return {
    servers: urls.map(({ host }) => host),
    ...(login ? { user: decodeURIComponent(login.username), pass: decodeURIComponent(login.password) } : {}),
    ...(urls.some(({ protocol }) => protocol === 'tls:') ? { tls: {} } : {}),
  };
}

/** Fails when none of the servers takes us. */
export async function checkNats(list: string): Promise<void> {
  const options = natsServers(list);
  const { connect } = await import('nats');
  try {
    const connection = await connect({ ...options, timeout: 5_000, maxReconnectAttempts: 0 });
    await connection.close();
  } catch (error) {
    const { code, message } = error as NatsError;
    throw new Error(
      `NATS_URL: no connection to ${options.servers.join(', ')} (${code || message}): start NATS, or correct the setting`,
    );
  }
}
