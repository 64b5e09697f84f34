import { scaleMs } from '../../../../shared/settings/time-scale.js';
import { inBackground } from '../../../../shared/workers/process-priority.js';
import { isTaskFailure, isTooMuch, openWorkers, perProcessor } from '../../../../shared/workers/workers.js';
import type { Unpacking } from './archives/unpacked.js';
import type { ConvertedSource } from './conversion-worker.js';
import type { Planning } from './layouts/planned-tree.js';
import type { ConvertedPage, GivenFile, PlannedTree } from './model.js';
import { refusal } from './refused.js';
import type { AskedRobots, RobotsAnswer } from './robots.js';

/**
 * Unpacks and converts what imports bring, in processes of their own. All work is for an `organization`; organizations take turns.
 * Throws 422 for what cannot be read, or takes too much time or memory.
 */
export interface ConversionWork {
  unpacked(archive: Unpacking, organization: string): Promise<GivenFile[]>;
  planned(tree: Planning, organization: string): Promise<PlannedTree>;
  converted(page: ConvertedSource, organization: string): Promise<ConvertedPage>;
  /** Converts a text that a writer pastes to Markdown. */
  pasted(html: string, organization: string): Promise<string>;
  robots(asked: AskedRobots, organization: string): Promise<RobotsAnswer>;
  close(): Promise<void>;
}

const module = new URL('./conversion-worker.js', import.meta.url);

/** Milliseconds of processor time to unpack an archive; to make one page takes less. */
const unpackingMs = scaleMs(60_000);

/** Milliseconds that a writer waits for what it pastes: behind imports, it may take longer. */
const pasteMs = scaleMs(4_000);

/** `deadlineMs`: milliseconds of processor time to convert a page, or to ask a robots.txt. */
export function openConversionWork({ deadlineMs = scaleMs(15_000) } = {}): ConversionWork {
  const maxProcesses = perProcessor(0.5, { least: 2, max: 4 });
  const workers = openWorkers({
    module,
    max: maxProcesses,
    // One organization never takes all of it: what it sends may take long, page after page.
    maxOfOwner: maxProcesses - 1,
    deadlineMs,
    memoryMb: 512,
    waiting: 100,
    niceness: inBackground,
  });
  return {
    unpacked: (archive, owner) =>
      workers
        .run<GivenFile[]>('unpack', archive, { owner, deadlineMs: unpackingMs })
        .catch(refuseTooMuch('the archive')),
    planned: (tree, owner) =>
      workers
        .run<PlannedTree>('planTree', tree, { owner, deadlineMs: unpackingMs })
        .catch(refuseTooMuch('the table of contents')),
    converted: (page, owner) =>
      workers.run<ConvertedPage>('convertedPage', page, { owner }).catch(refuseTooMuch('the page')),
    pasted: (html, owner) =>
      workers.run<string>('pastedMarkdown', html, { owner, waitMs: pasteMs }).catch(refuseTooMuch('the text')),
    robots: (asked, owner) =>
      workers.run<RobotsAnswer>('askRobots', asked, { owner }).catch(refuseTooMuch('robots.txt')),
    close: () => workers.close(),
  };
}

/** Not retried where a limit was reached: it would be reached again. A process that ended for another reason is worth another attempt. */
const refuseTooMuch = (what: string) => (error: unknown) => {
  if (isTooMuch(error))
    throw refusal(
      `url: ${what} needs more ${error.failure === 'memory' ? 'memory' : 'time'} to process than is allowed`,
    );
  throw toRefusal(error);
};

/** The class and the marks of an error are lost on the way from a process. */
function toRefusal(error: unknown): unknown {
  const { type, message } = (error ?? {}) as { type?: string; message?: string };
  return type === 'UNPROCESSABLE' && message !== undefined && !isTaskFailure(error) ? refusal(message) : error;
}

export type HasConversion = { conversion: ConversionWork };
