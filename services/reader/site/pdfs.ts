import { setTimeout as pause } from 'node:timers/promises';
import { failureOf } from '../../../shared/errors/errors.js';
import type { PdfMaker } from '../../../shared/pdf/pdf-maker.js';
import { scaleMs } from '../../../shared/settings/time-scale.js';
import { KeyedCache } from '../../../shared/work/keyed-cache.js';

/** Bytes of all kept PDFs together. */
const maxKept = 64 * 1024 * 1024;
/** Milliseconds that a PDF is kept: what is in it of other spaces and services may change meanwhile. */
const keptMs = 10 * 60_000;
/** Milliseconds after which one that could not be made is tried again. */
const retryMs = 60_000;
/** Milliseconds that a request waits for a PDF. */
const waitMs = scaleMs(6_000);

export interface MadePdf {
  bytes: Buffer;
  title: string;
}

interface PdfSource {
  title: string;
  html: string;
}

/** Makes PDFs, and keeps them for those who ask again: most do so while one is being made. */
export class Pdfs {
  private readonly kept = new KeyedCache<MadePdf | { failed: true }>({
    maxSize: maxKept,
    sizeOf: (made) => 1000 + ('failed' in made ? 0 : made.bytes.length),
    ttlMs: keptMs,
  });

  constructor(private readonly maker: PdfMaker) {}

  /** Null for one that is too large, or takes too long. Throws 503 when too many are being made. */
  async find(name: string, owner: string, source: () => Promise<PdfSource>): Promise<MadePdf | 'making' | null> {
    const making = this.kept.get(name, (keepFor) =>
      this.make(owner, source).catch((error) => {
        const { reason } = failureOf(error);
        if (reason !== 'too_complex' && reason !== 'took_too_long') throw error;
        keepFor(retryMs);
        return { failed: true as const };
      }),
    );
    // Nobody may wait for it any more when it fails.
    making.catch(() => {});
    const waiting = new AbortController();
    const late = pause(waitMs, 'making' as const, { signal: waiting.signal, ref: false });
    late.catch(() => {});
    const found = await Promise.race([making, late]).finally(() => waiting.abort());
    if (found === 'making') return found;
    return 'failed' in found ? null : found;
  }

  close(): void {
    this.maker.close();
  }

  private async make(owner: string, source: () => Promise<PdfSource>): Promise<MadePdf> {
    let title = '';
    const bytes = await this.maker.make(owner, async () => {
      const made = await source();
      title = made.title;
      return made.html;
    });
    return { bytes, title };
  }
}
