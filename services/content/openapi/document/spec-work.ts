import { scaleMs } from '../../../../shared/settings/time-scale.js';
import { inBackground } from '../../../../shared/workers/process-priority.js';
import { openWorkers, perProcessor } from '../../../../shared/workers/workers.js';
import type { RenderedSpecBlock } from '../../format/html/openapi/render-openapi.js';
import type { Unprocessed } from './processed-spec.js';
import type { SpecReading } from './spec-html.js';
import type { Processing, SpecFile, StoredSpec } from './spec-worker.js';

/**
 * Reads and converts specifications in processes of their own. All work is for an organization; organizations take turns. Throws
 * `TaskFailure` for one that takes too much time (503) or memory (422).
 */
export interface SpecWork {
  process(processing: Processing, organization: string): Promise<StoredSpec | Unprocessed>;
  /** The addresses of the other files that a file refers to. */
  named(file: SpecFile, organization: string): Promise<Unprocessed>;
  /** The blocks of a page about one specification, as HTML: for readers, who do not wait for specifications that are processed. */
  html(reading: SpecReading, organization: string): Promise<RenderedSpecBlock[]>;
  close(): Promise<void>;
}

const module = new URL('./spec-worker.js', import.meta.url);

export function openSpecWork(): SpecWork {
  const workers = openWorkers({
    module,
    max: perProcessor(0.25, { least: 1, max: 2 }),
    deadlineMs: scaleMs(30_000),
    memoryMb: 768,
    waiting: 100,
    niceness: inBackground,
  });
  const reading = openWorkers({
    module,
    max: 2,
    maxOfOwner: 1,
    deadlineMs: scaleMs(10_000),
    memoryMb: 768,
    waiting: 50,
  });
  return {
    process: (processing, owner) => workers.run('processSpec', processing, { owner }),
    named: (file, owner) => workers.run('namedFiles', file, { owner }),
    html: (asked, owner) => reading.run('specHtml', asked, { owner }),
    close: async () => {
      await Promise.all([workers.close(), reading.close()]);
    },
  };
}
