import { scaleMs } from '../../../shared/settings/time-scale.js';
import { openWorkers, perProcessor } from '../../../shared/workers/workers.js';
import type { SamlQuestion } from './assertion.js';
import type { SamlVerdict } from './saml-worker.js';

/** Verifies answers in processes of their own: checking a signature over a stranger's XML takes time. Providers take turns. */
export interface Verifier {
  /** Within a provider, networks of clients take turns. Throws `TaskFailure`. */
  verify(question: SamlQuestion, network: string): Promise<SamlVerdict>;
  close(): Promise<void>;
}

export function openVerifier(): Verifier {
  const workers = openWorkers({
    module: new URL('./saml-worker.js', import.meta.url),
    max: perProcessor(0.5, { least: 1, max: 4 }),
    deadlineMs: scaleMs(5000),
    memoryMb: 128,
    waiting: 20,
    waitMs: scaleMs(5000),
  });
  return {
    verify: (question, network) => workers.run('verify', question, { owner: question.provider._id, client: network }),
    close: () => workers.close(),
  };
}
