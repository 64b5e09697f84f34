import type { ServiceBroker } from 'moleculer';
import { callAsSystem } from '../../../shared/contract/service.js';
import type { JobKind, Jobs } from '../../../shared/jobs/jobs.js';
import type { Config } from '../../../shared/settings/config.js';
import { scaleMs } from '../../../shared/settings/time-scale.js';
import type { Store, Write } from '../../../shared/store/port.js';
import { newApiToken } from '../accounts/api-tokens.js';
import { apiTokens } from '../accounts/model.js';
import { importHandbook } from '../contract.js';
import { firstStartBanner } from './banner.js';
import { firstStarts, tokenLabel as label, theFirstStart } from './model.js';

const handbookJobKind = 'handbookImport';

interface HandbookPayload {
  organization: string;
  creator: string;
  space: string;
}

const contentWaitMs = scaleMs(30_000);
const importMs = scaleMs(60_000);

/** The write that enqueues the job; again where it waits or runs, it changes nothing. */
export const enqueueFirstStart = (jobs: Jobs, payload: HandbookPayload): Write =>
  jobs.enqueueStanding(handbookJobKind, handbookJobKind, payload);

interface Dependencies {
  store: Store;
  broker: ServiceBroker;
  config: Pick<Config, 'baseUrl' | 'BOOTSTRAP_TOKEN'>;
}

/**
 * Imports the handbook into its space, then prints the banner of the first start. Where the content service is not up after
 * `contentWaitMs`, the banner comes first, and the job is retried until the handbook is imported.
 */
export const firstStartJob = (deps: Dependencies): JobKind<HandbookPayload> => ({
  kind: handbookJobKind,
  attempts: Number.POSITIVE_INFINITY,
  backoff: () => 2_000,
  async run({ job: { payload }, signal }) {
    const failure = await importHandbookWhenUp(deps.broker, payload, signal).then(
      () => null,
      (error) => error,
    );
    if (signal.aborted) throw signal.reason;
    await printBannerOnce(deps, payload, failure === null);
    if (failure) throw failure;
  },
});

async function importHandbookWhenUp(
  broker: ServiceBroker,
  payload: HandbookPayload,
  signal: AbortSignal,
): Promise<void> {
  const stopped = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  await Promise.race([broker.waitForServices('content', contentWaitMs, 100), stopped]);
  await callAsSystem(broker, importMs)(importHandbook, payload);
}

/**
 * Prints the banner unless it was printed. The token is made here, because its secret is stored nowhere; a process that dies before it
 * has recorded the banner leaves another token to the next run.
 */
async function printBannerOnce(
  { store, config }: Dependencies,
  { creator: user, organization, space }: HandbookPayload,
  handbook: boolean,
): Promise<void> {
  const done = await store.get(firstStarts, theFirstStart._id);
  if (!done?.told) {
    const made = config.BOOTSTRAP_TOKEN ? null : newApiToken({ user, label });
    if (made) await store.insert(apiTokens, made.document);
    const first = { organization, space, token: made?.secret ?? null };
    process.stdout.write(firstStartBanner({ baseUrl: config.baseUrl, first, handbook }));
  }
  const imported = handbook ? { handbook: true as const } : {};
  await store.update(firstStarts, theFirstStart, { $set: { told: true, ...imported } });
}
