import { openWorkers } from '../../../shared/work/workers.js';
import type { SamlQuestion } from './assertion.js';
import type { SamlVerdict } from './saml-worker.js';

/** Verifies answers in worker threads: checking a signature over a stranger's XML takes time. */
export interface Verifier {
  verify(question: SamlQuestion): Promise<SamlVerdict>;
  close(): Promise<void>;
}

export function openVerifier(): Verifier {
  const workers = openWorkers(new URL('./saml-worker.js', import.meta.url));
  return { verify: (question) => workers.run('verify', question), close: () => workers.close() };
}
