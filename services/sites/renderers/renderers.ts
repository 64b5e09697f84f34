import { createHmac } from 'node:crypto';
import type { Log } from '../../../shared/monitoring/log.js';
import { createOutbound, type Outbound } from '../../../shared/outbound/client.js';
import type { Config } from '../../../shared/settings/config.js';
import { scaleMs } from '../../../shared/settings/time-scale.js';
import { eachDocument, type Store, type Write, write } from '../../../shared/store/port.js';
import { newId } from '../../../shared/values/ids.js';
import { type PendingTag, pendingTags } from './model.js';

export const siteTag = (site: string): string => `site:${site}`;
export const spaceTag = (space: string): string => `space:${space}`;
export const changeRequestTag = (space: string, changeRequest: string): string =>
  `space:${space}:change-request:${changeRequest}`;
/** The tag of the content of an OpenAPI specification. */
export const specTag = (organization: string, slug: string): string => `organization:${organization}:openapi:${slug}`;
/** The tag of all that an integration rendered. */
export const integrationTag = (name: string): string => `integration:${name}`;
export const hostTag = (host: string): string => `url:${host}`;

const pollMs = 2000;
/** Tags in one message. */
const atOnce = 500;
const maxWaitMs = 60_000;
const timeoutMs = scaleMs(10_000);
const maxAnswerBytes = 64 * 1024;
/** The operator names renderers, so they may be at any address. */
const anywhere = ['0.0.0.0/0', '::/0'];
/** Whether the same message may succeed later. */
const isTransient = (status: number) => status >= 500 || status === 408 || status === 429;

interface Renderer {
  url: string;
  /** Attempts that failed in a row. */
  failures: number;
  /** Epoch milliseconds before which it is not tried again, unless something changes. */
  dueAt: number;
  /** Whether its refusal was logged. */
  refused: boolean;
  notifying: Promise<void> | undefined;
  again: boolean;
}

export interface RenderersOptions {
  store: Store;
  log: Log;
  config: Pick<Config, 'RENDERER_URLS' | 'RENDERER_SECRET'>;
}

/**
 * Notifies the renderers of sites which parts of their caches are out of date. A notification is written in the batch of its
 * change and kept until the renderer accepts it; while a renderer is down, each tag is kept once.
 */
export class Renderers {
  private readonly renderers: Renderer[];
  private readonly outbound: Outbound;
  private timer: NodeJS.Timeout | undefined;
  private unlisten = () => {};
  private readonly stopping = new AbortController();

  constructor(private readonly options: RenderersOptions) {
    const { RENDERER_URLS } = options.config;
    this.renderers = [...new Set(RENDERER_URLS)].map((url) => ({
      url,
      failures: 0,
      dueAt: 0,
      refused: false,
      notifying: undefined,
      again: false,
    }));
    this.outbound = createOutbound({ allowCidrs: anywhere });
  }

  /** Whether any renderer is set. */
  get any(): boolean {
    return this.renderers.length > 0;
  }

  /** The writes that make each renderer revalidate what carries these tags, for the batch of the change. */
  revalidate(tags: string[]): Write[] {
    return this.renderers.flatMap(({ url: renderer }) =>
      [...new Set(tags)].map((tag) => write.insert(pendingTags, { _id: newId(), renderer, tag })),
    );
  }

  async start(): Promise<void> {
    await this.options.store.deleteMany(pendingTags, { renderer: { $nin: this.renderers.map(({ url }) => url) } });
    if (this.renderers.length === 0) return;
    this.timer = setInterval(() => this.poll(), pollMs).unref();
    this.unlisten = this.options.store.listen(pendingTags, () => this.wake());
    this.wake();
  }

  /** Notifies all renderers now, including those that failed before. */
  private wake(): void {
    for (const renderer of this.renderers) this.notify(renderer);
  }

  async stop(): Promise<void> {
    this.unlisten();
    clearInterval(this.timer);
    this.timer = undefined;
    this.stopping.abort();
    await Promise.all(this.renderers.map(({ notifying }) => notifying));
    await this.outbound.close();
  }

  private poll(): void {
    for (const renderer of this.renderers) if (renderer.dueAt <= Date.now()) this.notify(renderer);
  }

  private notify(renderer: Renderer): void {
    renderer.again = true;
    renderer.notifying ??= this.notifyUntilDone(renderer).finally(() => {
      renderer.notifying = undefined;
    });
  }

  private async notifyUntilDone(renderer: Renderer): Promise<void> {
    while (renderer.again && this.timer) {
      renderer.again = false;
      try {
        await this.sendPending(renderer);
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
    if (renderer.failures === 0) log.warn(about, 'notifying a renderer failed; will retry');
    renderer.dueAt = Date.now() + Math.min(maxWaitMs, 1000 * 2 ** renderer.failures);
    renderer.failures += 1;
    await this.dropRepeated(renderer).catch((err) =>
      log.warn({ ...about, err }, 'dropping repeated tags for a renderer failed; will retry'),
    );
  }

  private async sendPending(renderer: Renderer): Promise<void> {
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

  /** Leaves one document for each tag. */
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

  /** Sends one message. Throws when it may succeed later. */
  private async post(renderer: Renderer, tags: string[]): Promise<void> {
    const { config, log } = this.options;
    const body = JSON.stringify({ tags });
    const signature = createHmac('sha256', config.RENDERER_SECRET ?? '')
      .update(body)
      .digest('hex');
    const { status } = await this.outbound.fetch(`${renderer.url}/~gitbook/revalidate`, {
      owner: 'renderers',
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-gitbook-signature': signature },
      body,
      timeoutMs,
      maxBytes: maxAnswerBytes,
      maxRedirects: 0,
      signal: this.stopping.signal,
    });
    if (isTransient(status)) throw new Error(`the renderer answered ${status}`);
    const refused = status < 200 || status >= 300;
    if (refused && !renderer.refused)
      log.error(
        { renderer: renderer.url, status },
        'a renderer refuses notifications of changes: check RENDERER_URLS and RENDERER_SECRET',
      );
    renderer.refused = refused;
  }
}

export type HasRenderers = { renderers: Renderers };
