import { openWorkers, perProcessor } from '../../../shared/work/workers.js';
import type { SamlQuestion } from './assertion.js';
import type { SamlVerdict } from './saml-worker.js';

/** Verifies answers in processes of their own: checking a signature over a stranger's XML takes time. Providers take turns. */
export interface Verifier {
  /** Throws `TaskFailure`. */
  verify(question: SamlQuestion): Promise<SamlVerdict>;
  close(): Promise<void>;
}

export function openVerifier(): Verifier {
  const workers = openWorkers({
    module: new URL('./saml-worker.js', import.meta.url),
    most: perProcessor(0.5, { least: 1, most: 4 }),
    deadlineMs: 5000,
    memoryMb: 128,
    waiting: 20,
  });
  return {
    verify: (question) => workers.run('verify', question, { owner: question.provider._id }),
    close: () => workers.close(),
  };
}
