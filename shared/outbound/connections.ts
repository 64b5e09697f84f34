import type { LookupAddress } from 'node:dns';
import type { Agent, request } from 'undici';
import { bareHost } from './address.js';
import { OutboundFailed } from './failure.js';
import { socketLookup } from './lookup.js';

type Sent = Omit<NonNullable<Parameters<typeof request>[1]>, 'dispatcher'>;
type Answer = Awaited<ReturnType<typeof request>>;

/** Connections to servers, which are used again. Their library is loaded with the first request. New ones go only to addresses that were found for a request under way. */
export class Connections {
  private agent: Agent | undefined;
  private isClosed = false;
  /** By host, for each request under way. */
  private readonly found = new Map<string, LookupAddress[][]>();

  constructor(private readonly connectTimeoutMs: number) {}

  /** Sends a request to one of the addresses of its host; resolves with the beginning of the answer. */
  async request(url: URL, addresses: LookupAddress[], sent: Sent): Promise<Answer> {
    const host = bareHost(url.hostname);
    this.found.set(host, [...(this.found.get(host) ?? []), addresses]);
    try {
      const undici = await import('undici');
      if (this.isClosed) throw new OutboundFailed('aborted', 'the request was cancelled');
      this.agent ??= new undici.Agent({
        connect: {
          timeout: this.connectTimeoutMs,
          lookup: socketLookup(async (host) => this.foundAddresses(host)),
          autoSelectFamily: true,
          autoSelectFamilyAttemptTimeout: 1000,
        },
      });
      return await undici.request(url, { ...sent, dispatcher: this.agent });
    } finally {
      const others = this.found.get(host)?.filter((each) => each !== addresses) ?? [];
      if (others.length > 0) this.found.set(host, others);
      else this.found.delete(host);
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.agent?.destroy();
  }

  private foundAddresses(host: string): LookupAddress[] {
    const found = this.found.get(host)?.at(-1);
    if (!found) throw new OutboundFailed('aborted', 'the request was cancelled');
    return found;
  }
}
