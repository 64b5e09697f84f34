import { createHmac } from 'node:crypto';
import { newId } from '../../shared/ids.js';
import type { Log } from '../../shared/log.js';
import { createOutbound, type Outbound } from '../../shared/outbound/client.js';
import type { Config } from '../../shared/settings/config.js';
import { eachDocument, type Store, type Write, write } from '../../shared/store/port.js';
import { type PendingTag, pendingTags } from './model.js';

export const siteTag = (site: string): string => `site:${site}`;
export const spaceTag = (space: string): string => `space:${space}`;
export const hostTag = (host: string): string => `url:${host}`;

const pollMs = 2000;
/** Tags in one message. */
const atOnce = 500;
const longestWaitMs = 60_000;
const timeoutMs = 10_000;
const mostAnswered = 64 * 1024;
/** The operator names them, wherever they are. */
const anywhere = ['0.0.0.0/0', '::/0'];
/** Answers after which the same message may succeed; any other but 2xx stays what it is. */
const isPassing = (status: number) => status >= 500 || status === 408 || status === 429;

interface Renderer {
  url: string;
  /** Attempts that failed in a row. */
  failures: number;
  /** Epoch milliseconds before which it is left alone, unless something new happens. */
  dueAt: number;
  /** Its refusal was logged. */
  refused: boolean;
  telling: Promise<void> | undefined;
  again: boolean;
}

export interface RenderersOptions {
  store: Store;
  log: Log;
  config: Pick<Config, 'RENDERER_URLS' | 'RENDERER_SECRET'>;
}

/**
 * Tells the renderers of sites which parts of their caches are out of date. What they are to be told is written in the batch
 * of its change; however long one is down, a tag is kept once.
 */
export class Renderers {
  private readonly renderers: Renderer[];
  private readonly outbound: Outbound;
  private timer: NodeJS.Timeout | undefined;
  private readonly stopping = new AbortController();

  constructor(private readonly options: RenderersOptions) {
    const { RENDERER_URLS } = options.config;
    this.renderers = [...new Set(RENDERER_URLS)].map((url) => ({
      url,
      failures: 0,
      dueAt: 0,
      refused: false,
      telling: undefined,
      again: false,
    }));
    this.outbound = createOutbound({ allowCidrs: anywhere });
  }

  /** Whether there are any. */
  get any(): boolean {
    return this.renderers.length > 0;
  }

  /** The writes that tell them, for the batch of the change; call `wake` after it. */
  told(tags: string[]): Write[] {
    return this.renderers.flatMap(({ url: renderer }) =>
      [...new Set(tags)].map((tag) => write.insert(pendingTags, { _id: newId(), renderer, tag })),
    );
  }

  async start(): Promise<void> {
    await this.options.store.deleteMany(pendingTags, { renderer: { $nin: this.renderers.map(({ url }) => url) } });
    if (this.renderers.length === 0) return;
    this.timer = setInterval(() => this.poll(), pollMs).unref();
    this.wake();
  }

  /** Tells them now, also those that failed: something happened. */
  wake(): void {
    if (this.timer) for (const renderer of this.renderers) this.tell(renderer);
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.timer = undefined;
    this.stopping.abort();
    await Promise.all(this.renderers.map(({ telling }) => telling));
    await this.outbound.close();
  }

  private poll(): void {
    for (const renderer of this.renderers) if (renderer.dueAt <= Date.now()) this.tell(renderer);
  }

  private tell(renderer: Renderer): void {
    renderer.again = true;
    renderer.telling ??= this.tellAll(renderer).finally(() => {
      renderer.telling = undefined;
    });
  }

  private async tellAll(renderer: Renderer): Promise<void> {
    while (renderer.again && this.timer) {
      renderer.again = false;
      try {
        await this.tellPending(renderer);
        renderer.failures = 0;
        renderer.dueAt = 0;
      } catch (err) {
        if (!this.stopping.signal.aborted) await this.noteFailure(renderer, err);
      }
    }
  }

  private async noteFailure(renderer: Renderer, err: unknown): Promise<void> {
    const { log } = this.options;
    const about = { err, renderer: renderer.url };
    if (renderer.failures === 0) log.warn(about, 'telling a renderer of changes failed; will retry');
    renderer.dueAt = Date.now() + Math.min(longestWaitMs, 1000 * 2 ** renderer.failures);
    renderer.failures += 1;
    await this.dropRepeated(renderer).catch((err) =>
      log.warn({ ...about, err }, 'dropping repeated tags for a renderer failed; will retry'),
    );
  }

  private async tellPending(renderer: Renderer): Promise<void> {
    const { store } = this.options;
    let items: PendingTag[];
    do {
      const filter = { renderer: renderer.url };
      items = (await store.page(pendingTags, { filter, sort: {}, limit: atOnce })).items;
      if (items.length === 0) return;
      await this.post(renderer, [...new Set(items.map(({ tag }) => tag))]);
      await this.drop(items.map(({ _id }) => _id));
    } while (items.length === atOnce);
  }

  private async drop(ids: string[]): Promise<void> {
    await this.options.store.deleteMany(pendingTags, { _id: { $in: ids } });
  }

  /** Leaves one document a tag. */
  private async dropRepeated({ url: renderer }: Renderer): Promise<void> {
    const tags = new Set<string>();
    let repeated: string[] = [];
    for await (const { _id, tag } of eachDocument(this.options.store, pendingTags, { renderer })) {
      if (!tags.has(tag)) tags.add(tag);
      else if (repeated.push(_id) === atOnce) {
        await this.drop(repeated);
        repeated = [];
      }
    }
    await this.drop(repeated);
  }

  /** Throws for what may succeed later. */
  private async post(renderer: Renderer, tags: string[]): Promise<void> {
    const { config, log } = this.options;
    const body = JSON.stringify({ tags });
    const signature = createHmac('sha256', config.RENDERER_SECRET ?? '')
      .update(body)
      .digest('hex');
    const { status } = await this.outbound.fetch(`${renderer.url}/~gitbook/revalidate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-gitbook-signature': signature },
      body,
      timeoutMs,
      maxBytes: mostAnswered,
      maxRedirects: 0,
      signal: this.stopping.signal,
    });
    if (isPassing(status)) throw new Error(`the renderer answered ${status}`);
    const refused = status < 200 || status >= 300;
    if (refused && !renderer.refused)
      log.error(
        { renderer: renderer.url, status },
        'a renderer refuses to be told of changes: check RENDERER_URLS and RENDERER_SECRET',
      );
    renderer.refused = refused;
  }
}
