import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { IntegrationSubject } from '../../shared/contract/integration-token.ts';
import { packageFile } from '../../shared/process/package-root.ts';

/** What is asked of the operator of the server that `BINDERY_TEST_STORE` names; each answer is a text. */
export type OperatorCall =
  /** An API token for a user, limited to the organization `scope` where it is given. */
  | { issue: { email: string; label: string; scope?: string } }
  /** The path and query of a link that signs a user in, once. */
  | { link: { email: string } }
  /** A token of an integration, as the server itself signs it. */
  | { sign: IntegrationSubject; issuer: string }
  /** The publication of an integration by its name. */
  | { publicationOf: string }
  /** The events that were queued for an installation, in their order, as JSON. */
  | { queuedFor: string };

/** Starts it in a thread of this process, so that no test file needs to load the product. Returns how to end it. */
export async function openOperator(): Promise<() => Promise<unknown>> {
  const worker = new Worker(packageFile('dist/test/support/operator-main.js'));
  [process.env.BINDERY_TEST_OPERATOR] = await once(worker, 'message');
  worker.unref();
  return () => worker.terminate();
}

export const sharedSettings = (): Record<string, string> => JSON.parse(String(process.env.BINDERY_TEST_STORE));

/** By default of the shared server. */
export async function askOperator(call: OperatorCall, settings = sharedSettings()): Promise<string> {
  const body = JSON.stringify({ settings, call });
  const response = await fetch(String(process.env.BINDERY_TEST_OPERATOR), { method: 'POST', body });
  const text = await response.text();
  if (response.status !== 200) throw new Error(text);
  return text;
}
