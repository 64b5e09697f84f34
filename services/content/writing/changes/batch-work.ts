import { apiError } from '../../../../shared/errors/errors.js';
import { scaleMs } from '../../../../shared/settings/time-scale.js';
import { isTooMuch } from '../../../../shared/workers/workers.js';
import type { ReadPage, RefusedPage } from '../../format/document/stored-page.js';
import type { PageWork, RevertedBlocks } from '../../format/workers/page-work.js';
import type { WrittenPage } from '../../format/workers/page-worker.js';
import type { WrittenSource } from '../../format/workers/written-page.js';

const atOnce = 2;
/** Maximum duration of a batch in milliseconds, by default: less than a request may take. */
export const maxBatchMs = scaleMs(8000);

const tooMuch = () =>
  apiError(
    'UNPROCESSABLE',
    'document: takes too much time or memory to read; send shorter documents, or fewer at once',
    'too_complex',
  );

/** A small document waits as well where its machine is busy: later it may have its turn. */
const late = () =>
  apiError(
    'UNAVAILABLE',
    'To read these documents takes longer than a request may; try again later, or send shorter ones, or fewer at once',
    'took_too_long',
  );

/**
 * Reads and writes pages for one batch of changes: two at a time, and no longer than the batch may take. Throws 422 for a document that
 * takes too much processor time or memory, and 503 when the time of the batch is over.
 */
export class BatchWork {
  private readonly lanes = Array.from({ length: atOnce }, (): Promise<unknown> => Promise.resolve());
  private started = 0;
  private readonly begun = new Map<string, Promise<WrittenPage>>();

  constructor(
    private readonly work: Pick<PageWork, 'written' | 'parsed' | 'reverted'>,
    private readonly organization: string,
    /** Epoch milliseconds. */
    private until = Date.now() + maxBatchMs,
  ) {}

  /** Begins to write a page that `written` will be asked for, so that it is done while others are. */
  begin(wanted: WrittenSource): void {
    const key = JSON.stringify(wanted);
    const begun = this.begun.get(key) ?? this.run(() => this.work.written(wanted, this.organization));
    begun.catch(() => undefined);
    this.begun.set(key, begun);
  }

  written(wanted: WrittenSource): Promise<WrittenPage> {
    const begun = this.begun.size > 0 ? this.begun.get(JSON.stringify(wanted)) : undefined;
    return begun ?? this.run(() => this.work.written(wanted, this.organization));
  }

  async parsed(source: string): Promise<ReadPage | RefusedPage> {
    const [page] = await this.run(() => this.work.parsed([source], this.organization));
    return page as ReadPage | RefusedPage;
  }

  reverted(blocks: RevertedBlocks): ReturnType<PageWork['reverted']> {
    return this.run(() => this.work.reverted(blocks, this.organization));
  }

  /** Nothing that has not started yet will. */
  end(): void {
    this.until = 0;
  }

  private run<T>(task: () => Promise<T>): Promise<T> {
    const lane = this.started++ % atOnce;
    const turn = (this.lanes[lane] as Promise<unknown>).then(() => this.inTime(task));
    this.lanes[lane] = turn.catch(() => undefined);
    return turn;
  }

  private async inTime<T>(task: () => Promise<T>): Promise<T> {
    const left = this.until - Date.now();
    if (left <= 0) throw late();
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(late()), left);
    });
    try {
      return await Promise.race([task(), over]);
    } catch (error) {
      if (isTooMuch(error)) throw tooMuch();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}
