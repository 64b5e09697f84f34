import { Agent, request } from 'undici';

type Method = 'GET' | 'POST' | 'PATCH';

export interface Reply {
  status: number;
  body: string;
}

/** Calls one Bindery with one token over a pool of connections. */
export class Client {
  private readonly agent: Agent;

  /** `localAddress`: where requests come from. */
  constructor(
    readonly url: string,
    private readonly token?: string,
    localAddress = '127.0.0.1',
  ) {
    const times = { bodyTimeout: 60_000, headersTimeout: 60_000 };
    this.agent = new Agent({ connections: 32, pipelining: 1, localAddress, ...times });
  }

  async send(method: Method, path: string, body?: unknown, token = this.token): Promise<Reply> {
    const { statusCode, body: answer } = await this.request(method, path, body, token);
    return { status: statusCode, body: await answer.text() };
  }

  private request(method: Method, path: string, body: unknown, token: string | undefined) {
    return request(this.url + path, {
      method,
      dispatcher: this.agent,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  }

  /** Reads the answer without keeping it; answers the status. */
  async statusOf(method: Method, path: string, body?: string, token = this.token): Promise<number> {
    const { statusCode, body: answer } = await this.request(method, path, body, token);
    for await (const _ of answer);
    return statusCode;
  }

  /** The answer of a call that must succeed. */
  async ok(method: Method, path: string, body?: unknown) {
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
