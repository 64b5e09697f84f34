import { setTimeout as pause } from 'node:timers/promises';
import type { Call } from '../../../../shared/contract/service.js';
import { isExpected } from '../../../../shared/errors/errors.js';
import { scaleMs } from '../../../../shared/settings/time-scale.js';
import { sha256 } from '../../../../shared/values/ids.js';
import { KeyedCache } from '../../../../shared/work/keyed-cache.js';
import type { RenderedSpecBlock } from '../../format/html/openapi/render-openapi.js';
import type { LateBlock } from '../../format/html/rendered-body.js';
import type { LateHtml, LateReading } from '../../format/workers/html/late-html.js';
import type { HasWork } from '../../format/workers/page-work.js';
import { blockForUrl, renderBlock } from '../contract.js';
import type { Embeds } from '../embeds/embeds.js';
import { linkEmbed } from '../embeds/link-embed.js';
import type { HasSpecBlocks } from './spec-blocks.js';
import type { VisitedView } from './visited-view.js';

type Foreign = Exclude<LateBlock, { kind: 'openapi' }>;

/** Milliseconds that a page waits for a block of an integration: it is shown without it rather than late. */
const patienceMs = scaleMs(2_000);
/** Milliseconds that a page waits for what other sites say of their pages: until they have, it shows links to those. */
const patienceWithSitesMs = scaleMs(300);
/** Milliseconds that the block of an integration is shown as it was. */
const blockMs = 60_000;
/** Milliseconds after which a block that did not come is asked for again. */
const retryMs = 5_000;
/** Bytes of all kept blocks together. */
const maxKeptBytes = 8 * 1024 * 1024;

interface Dependencies extends HasWork, HasSpecBlocks {
  embeds: Embeds;
}

type MadeBlock = LateHtml & Pick<RenderedSpecBlock, 'heading'>;

interface Asked extends VisitedView {
  call: Call;
  blocks: readonly LateBlock[];
}

/** Makes the blocks of pages that depend on more than a revision: on other sites, on integrations, on specifications. */
export class LateBlocks {
  private readonly kept = new KeyedCache<LateHtml>({
    maxSize: maxKeptBytes,
    sizeOf: ({ html }) => 2 * html.length + 300,
    ttlMs: blockMs,
  });

  constructor(private readonly deps: Dependencies) {}

  /** Blocks in their order, with what distinguishes them from those of other times. */
  async htmlOf(asked: Asked): Promise<{ version: string; blocks: MadeBlock[] }> {
    const { blocks } = asked;
    if (blocks.length === 0) return { version: '', blocks: [] };
    const ofSpecs = blocks.filter((block) => block.kind === 'openapi');
    const [specs, foreign] = await Promise.all([
      this.deps.specBlocks.htmlOf(asked, ofSpecs),
      Promise.all(blocks.map((block) => (block.kind === 'openapi' ? undefined : this.foreignHtml(asked, block)))),
    ]);
    const remaining = specs.values();
    const made = foreign.map((found) => found ?? { html: '', ...remaining.next().value, frames: [] });
    return { version: sha256(JSON.stringify(made)).slice(0, 16), blocks: made };
  }

  private foreignHtml(asked: Asked, block: Foreign): Promise<LateHtml> {
    const { view, visitor, organization } = asked;
    const forWhom = block.kind === 'integration' ? `${view.revision.space} ${visitor.key}` : view.revision.space;
    return this.kept.get(sha256(`${forWhom} ${JSON.stringify(block)}`), async (keepFor) => {
      const askAgainSoon = () => keepFor(retryMs);
      const reading = await this.readingOf(asked, block, askAgainSoon);
      if (!reading) askAgainSoon();
      const [html] = reading ? await this.deps.work.late([reading], organization) : [];
      return html ?? { html: '', frames: [] };
    });
  }

  private async readingOf(asked: Asked, block: Foreign, askAgainSoon: () => void): Promise<LateReading | undefined> {
    if (block.kind === 'integration')
      return this.elementOf(asked, { integration: block.integration, component: block.block, props: block.props });
    const { url, fullWidth } = block;
    const { organization, view } = asked;
    const space = view.revision.space;
    const shown = await this.inTime(asked.call(blockForUrl, { organization, space, url }));
    if (shown)
      return this.elementOf(asked, { integration: shown.integration, component: shown.block.id, props: { url } });
    const embed = await this.deps.embeds.embedWithin(url, organization, patienceWithSitesMs);
    if (!embed) askAgainSoon();
    return { kind: 'embed', embed: embed ?? linkEmbed(url), url, fullWidth };
  }

  private async elementOf(
    { call, organization, view }: Asked,
    component: { integration: string; component: string; props: Record<string, unknown> },
  ): Promise<LateReading | undefined> {
    const asked = { organization, space: view.revision.space, ...component };
    const rendered = await this.inTime(call(renderBlock, asked));
    return rendered
      ? { kind: 'element', output: rendered, prefix: `kit-${sha256(JSON.stringify(component)).slice(0, 8)}-` }
      : undefined;
  }

  /** Undefined for an answer that is late, or refused. */
  private async inTime<T>(answer: Promise<T>): Promise<T | undefined> {
    const waiting = new AbortController();
    try {
      return await Promise.race([answer, pause(patienceMs, undefined, { signal: waiting.signal })]);
    } catch (error) {
      if (isExpected(error)) return undefined;
      throw error;
    } finally {
      waiting.abort();
    }
  }
}

export type HasLateBlocks = { lateBlocks: LateBlocks };
