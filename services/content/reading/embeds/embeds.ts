import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Outbound } from '../../../../shared/outbound/client.js';
import { OutboundFailed, OutboundRefused } from '../../../../shared/outbound/failure.js';
import { scaleMs } from '../../../../shared/settings/time-scale.js';
import { FairTurns } from '../../../../shared/work/fair-turns.js';
import { KeyedCache } from '../../../../shared/work/keyed-cache.js';
import { isTooMuch } from '../../../../shared/workers/workers.js';
import type { PageWork } from '../../format/workers/page-work.js';
import type { Fetched, OEmbed, WebPage } from '../../format/workers/web-page.js';
import { linkEmbed } from './link-embed.js';
import { knownOEmbed } from './providers.js';
import type { Embed } from './resources.js';

/** Milliseconds: for all requests to a site; until a caller is answered, whatever its site does; of what is kept. */
const visitMs = scaleMs(4000);
const answerMs = scaleMs(4500);
const keptMs = 24 * 60 * 60 * 1000;
const keptAsFailedMs = 10 * 60 * 1000;
/** Bytes of the beginning of a page, and of the answer of an oEmbed endpoint, of which a visit asks two at most. */
const maxOfPage = 384 * 1024;
const maxOfOEmbed = 64 * 1024;
/** Characters of all embeds that are kept. */
const maxKeptBytes = 16_000_000;
/** Addresses of sites that one organization makes this process visit in a minute. */
const maxVisits = 120;

interface Dependencies {
  outbound: Outbound;
  work: Pick<PageWork, 'webPage' | 'oEmbed'>;
}

/** Asks other sites how their pages want to be shown. What they say is public, so it is kept for all organizations. */
export class Embeds {
  private readonly kept = new KeyedCache<Embed>({
    maxSize: maxKeptBytes,
    sizeOf: (embed, address) => address.length + JSON.stringify(embed).length + 200,
    ttlMs: keptMs,
  });
  private readonly turns = new FairTurns({ max: 16, maxOfOwner: 4, waiting: 100, busy: 'Too many embeds at once' });
  private readonly visits = new RateLimiterMemory({ points: maxVisits, duration: 60 });

  constructor(
    private readonly deps: Dependencies,
    private readonly wellKnown = knownOEmbed,
    private readonly timeoutMs = answerMs,
  ) {}

  /** The embed for an address; a link made from the address alone if its site cannot be asked or does not answer soon. */
  async embedOf(address: string, organization: string): Promise<Embed> {
    return (await this.embedWithin(address, organization, this.timeoutMs)) ?? linkEmbed(address);
  }

  /** The embed for an address; undefined if its site cannot be asked now, or does not answer within `ms`. What it says later is kept. */
  async embedWithin(address: string, organization: string, ms: number): Promise<Embed | undefined> {
    const kept = this.kept.getIfKept(address);
    if (kept) return kept;
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), ms);
    const tooLate = new Promise<undefined>((resolve) =>
      late.signal.addEventListener('abort', () => resolve(undefined)),
    );
    try {
      return await Promise.race([this.find(address, organization, late.signal), tooLate]);
    } finally {
      clearTimeout(timer);
    }
  }

  close(): Promise<void> {
    return this.deps.outbound.close();
  }

  /** Undefined where the organization has asked for too much. */
  private async find(address: string, organization: string, late: AbortSignal): Promise<Embed | undefined> {
    try {
      return await this.turns.run(organization, async () => {
        if (late.aborted) return undefined;
        if (!this.kept.peek(address)) await this.visits.consume(organization);
        return this.kept.get(address, async (keepFor) => {
          const found = await this.visit(address, organization);
          if (!found) keepFor(keptAsFailedMs);
          return found ?? linkEmbed(address);
        });
      });
    } catch (error) {
      if (error instanceof RateLimiterRes || isBusy(error)) return undefined;
      throw error;
    }
  }

  /** Undefined where nothing is learnt of the address. */
  private async visit(address: string, organization: string): Promise<Embed | undefined> {
    const until = Date.now() + visitMs;
    const known = this.wellKnown(address);
    const oEmbed = known && (await this.oEmbed(known, until, organization));
    if (oEmbed) return embedFrom(address, oEmbed);
    const asked = { accept: 'text/html', maxBytes: maxOfPage, cut: true, until, owner: organization };
    const page = await this.fetch(address, asked);
    if (!page || !/^(text\/html|application\/xhtml\+xml)\b/i.test(page.contentType)) return undefined;
    const said = await this.deps.work.webPage(page, organization).catch(undefinedIfTooMuch);
    if (!said) return undefined;
    const more = said.oEmbed && (await this.oEmbed(said.oEmbed, until, organization));
    return embedFrom(address, { ...said, ...(more || {}) });
  }

  private async oEmbed(endpoint: string, until: number, organization: string): Promise<OEmbed | undefined> {
    const asked = { accept: 'application/json', maxBytes: maxOfOEmbed, until, owner: organization };
    const answer = await this.fetch(endpoint, asked);
    return answer && this.deps.work.oEmbed(answer, organization).catch(undefinedIfTooMuch);
  }

  /** Undefined for an address that is refused, and for a site that fails. */
  private async fetch(
    address: string,
    { accept, until, ...bounds }: { accept: string; until: number; maxBytes: number; cut?: boolean; owner: string },
  ): Promise<Fetched | undefined> {
    const timeoutMs = until - Date.now();
    if (timeoutMs <= 0) return undefined;
    const answer = await this.deps.outbound
      .fetch(address, { headers: { accept }, timeoutMs, ...bounds })
      .catch(undefinedIfFailed);
    if (!answer || answer.status < 200 || answer.status > 299) return undefined;
    const { body: bytes, headers, url } = answer;
    return { bytes, contentType: headers['content-type'] ?? '', url };
  }
}

function embedFrom(address: string, { html, ...page }: WebPage & { html?: string }): Embed {
  const { url, ...link } = linkEmbed(address, page);
  return html ? { ...link, type: 'rich', html } : { ...link, url };
}

const isBusy = (error: unknown): boolean => (error as { type?: unknown } | null)?.type === 'UNAVAILABLE';

function undefinedIfTooMuch(error: unknown): undefined {
  if (isTooMuch(error)) return undefined;
  throw error;
}

function undefinedIfFailed(error: unknown): undefined {
  if (error instanceof OutboundFailed || error instanceof OutboundRefused) return undefined;
  throw error;
}
