import { Pool } from 'undici';
import { stopwatch } from '../../../shared/testing/stopwatch.js';

/** A gateway as a load balancer knows it. */
export interface Target {
  readonly url: string;
  /** The status of its readiness; 0 where nothing answers. */
  readiness(): Promise<number>;
}

export interface Asked {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  body?: unknown;
  /** Sent as `Idempotency-Key`. */
  key?: string;
}

export interface Sent {
  /** 0 where the connection ended without an answer. */
  status: number;
  body: string;
  retryAfter: string | null;
  ms: number;
  /** How often another gateway was asked because the connection of the first was refused or reset. */
  rerouted: number;
}

interface Gateway {
  node: Target;
  pool: Pool;
  /** Takes part; as a load balancer finds by `/readyz` and by refused connections. */
  isIn: boolean;
}

const checkMs = 500;
/** Longer than a request may take. */
const longestMs = 300_000;
const usualConnections = 256;

/**
 * A client of several gateways, as a load balancer in front of them is: it asks those that are ready in turn, and another one when a
 * connection is refused, or reset under a read. A write whose connection was reset is not sent again.
 */
export class Balancer {
  private readonly gateways: Gateway[];
  private readonly checking: NodeJS.Timeout;
  private turn = 0;

  constructor(
    nodes: Target[],
    private readonly token: string,
    /** To each gateway. */
    connections = usualConnections,
  ) {
    this.gateways = nodes.map((node) => ({ node, isIn: true, pool: poolOf(node, connections) }));
    this.checking = setInterval(() => void this.check(), checkMs);
  }

  async send(asked: Asked): Promise<Sent> {
    const ms = stopwatch();
    let rerouted = 0;
    let gateway: Gateway | undefined;
    for (;;) {
      gateway = this.next(gateway);
      try {
        const { statusCode, headers, body } = await gateway.pool.request({
          method: asked.method,
          path: asked.path,
          headers: this.headersOf(asked),
          body: asked.body === undefined ? null : JSON.stringify(asked.body),
        });
        const text = await body.text();
        const retryAfter = (headers['retry-after'] as string | undefined) ?? null;
        return { status: statusCode, body: text, retryAfter, ms: ms(), rerouted };
      } catch (error) {
        const { code = '' } = error as { code?: string };
        // It was certainly not sent.
        const isUnsent = code === 'ECONNREFUSED';
        if (isUnsent) gateway.isIn = false;
        rerouted += 1;
        if ((isUnsent || asked.method === 'GET') && rerouted < this.gateways.length) continue;
        return { status: 0, body: code, retryAfter: null, ms: ms(), rerouted };
      }
    }
  }

  async close(): Promise<void> {
    clearInterval(this.checking);
    await Promise.all(this.gateways.map(({ pool }) => pool.destroy()));
  }

  private next(failed: Gateway | undefined): Gateway {
    const others = this.gateways.filter((each) => each !== failed);
    const ready = others.filter(({ isIn }) => isIn);
    const among = ready.length > 0 ? ready : others;
    return among[this.turn++ % among.length] as Gateway;
  }

  private async check(): Promise<void> {
    const check = async (gateway: Gateway) => {
      gateway.isIn = (await gateway.node.readiness()) === 200;
    };
    await Promise.all(this.gateways.map(check));
  }

  private headersOf({ body, key }: Asked): Record<string, string> {
    return {
      authorization: `Bearer ${this.token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    };
  }
}

const poolOf = ({ url }: Target, connections: number) =>
  new Pool(url, { connections, headersTimeout: longestMs, bodyTimeout: longestMs, connectTimeout: longestMs });
