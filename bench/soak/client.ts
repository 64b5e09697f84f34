import { Agent, request } from 'undici';

export interface Reply {
  status: number;
  body: string;
}

/** Calls one Bindery with one token over a pool of connections. */
export class Client {
  private readonly agent = new Agent({ connections: 32, pipelining: 1, bodyTimeout: 60_000, headersTimeout: 60_000 });

  constructor(
    readonly url: string,
    private readonly token?: string,
  ) {}

  async send(
    method: 'GET' | 'POST' | 'PATCH' | 'PUT',
    path: string,
    body?: unknown,
    token = this.token,
  ): Promise<Reply> {
    const answer = await request(this.url + path, {
      method,
      dispatcher: this.agent,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: answer.statusCode, body: await answer.body.text() };
  }

  /** The answer of a call that must succeed. */
  async ok(method: 'GET' | 'POST' | 'PATCH' | 'PUT', path: string, body?: unknown) {
    const reply = await this.send(method, path, body);
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${reply.body}`);
    return JSON.parse(reply.body || '{}');
  }

  close(): Promise<void> {
    return this.agent.destroy();
  }
}

export async function importInto(client: Client, space: string, url: string): Promise<string> {
  await client.ok('POST', `/v1/spaces/${space}/git/import`, { url, ref: 'refs/heads/main' });
  for (;;) {
    const { operation } = await client.ok('GET', `/v1/spaces/${space}/git/info`);
    if (!['queued', 'running'].includes(operation.state)) return operation.error ?? operation.state;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
