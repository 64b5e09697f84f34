import type { ServiceBroker } from 'moleculer';
import { callAsSystem } from '../../../shared/contract/service.js';
import { scaled } from '../../../shared/settings/time-scale.js';
import type { JobKind } from '../../../shared/work/jobs.js';
import { importHandbook } from '../contract.js';
import type { IdentityDependencies } from '../dependencies.js';
import { firstStarts, theFirstStart } from './model.js';

export const handbookJobKind = 'handbookImport';

export interface HandbookPayload {
  organization: string;
  creator: string;
  space: string;
}

const contentWaitMs = scaled(30_000);
const importMs = scaled(60_000);

/** Imports the handbook into its space as soon as the content service runs. */
export const handbookJob = ({
  store,
  broker,
}: Pick<IdentityDependencies, 'store' | 'broker'>): JobKind<HandbookPayload> => ({
  kind: handbookJobKind,
  attempts: Number.POSITIVE_INFINITY,
  backoff: () => 2_000,
  async run({ job, signal }) {
    await serviceUp(broker, 'content', signal);
    await callAsSystem(broker, importMs)(importHandbook, job.payload);
    await store.update(firstStarts, theFirstStart, { $set: { handbook: true } });
  },
});

async function serviceUp(broker: ServiceBroker, name: string, signal: AbortSignal): Promise<void> {
  const stopped = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  await Promise.race([broker.waitForServices(name, contentWaitMs, 100), stopped]);
}
