import type { ServiceBroker } from 'moleculer';
import { callAsSystem } from '../../../shared/contract/service.js';
import type { JobKind, Jobs } from '../../../shared/jobs/jobs.js';
import type { Config } from '../../../shared/settings/config.js';
import { scaleMs } from '../../../shared/settings/time-scale.js';
import { type Store, type Write, write } from '../../../shared/store/port.js';
import { newApiToken } from '../accounts/api-tokens.js';
import { apiTokens } from '../accounts/model.js';
import { importHandbook, publishHandbook } from '../contract.js';
import { handedLink } from '../sign-in/links.js';
import { users } from '../users/model.js';
import { firstStartBanner } from './banner.js';
import { firstStarts, handbookSite, tokenLabel as label, theFirstStart } from './model.js';

const handbookJobKind = 'handbookImport';

interface HandbookPayload {
  organization: string;
  creator: string;
  space: string;
}

const serviceWaitMs = scaleMs(30_000);
const importMs = scaleMs(60_000);
const publishMs = scaleMs(10_000);

/** The write that enqueues the job; again where it waits or runs, it changes nothing. */
export const enqueueFirstStart = (jobs: Jobs, payload: HandbookPayload): Write =>
  jobs.enqueueStanding(handbookJobKind, handbookJobKind, payload);

interface Dependencies {
  store: Store;
  broker: ServiceBroker;
  config: Pick<Config, 'baseUrl' | 'BOOTSTRAP_EMAIL' | 'BOOTSTRAP_TOKEN' | 'READER'>;
}

/** How far the handbook has come. */
interface Progress {
  imported: boolean;
  /** Where its site is shown; null where it is not. */
  site: string | null;
}

/**
 * Imports the handbook into its space and publishes it as a site, then prints the banner of the first start. Where the services for that are not up after
 * `serviceWaitMs`, the banner comes first, and the job is retried until both is done.
 */
export const firstStartJob = (deps: Dependencies): JobKind<HandbookPayload> => ({
  kind: handbookJobKind,
  attempts: Number.POSITIVE_INFINITY,
  backoff: () => 2_000,
  async run({ job: { payload }, signal }) {
    const progress: Progress = { imported: false, site: null };
    const failure = await bringHandbook(deps, payload, { signal, progress }).then(
      () => null,
      (error) => error,
    );
    if (signal.aborted) throw signal.reason;
    await printBannerOnce(deps, payload, progress);
    if (failure) throw failure;
  },
});

async function bringHandbook(
  { store, broker }: Dependencies,
  { organization, creator, space }: HandbookPayload,
  { signal, progress }: { signal: AbortSignal; progress: Progress },
): Promise<void> {
  const stopped = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  // A service that stops meanwhile may never answer, and the process waits for its jobs.
  const unlessStopped = <T>(answer: Promise<T>): Promise<T> => Promise.race([answer, stopped]);
  const untilUp = (service: string) => unlessStopped(broker.waitForServices(service, serviceWaitMs, 100));
  await untilUp('content');
  await unlessStopped(callAsSystem(broker, importMs)(importHandbook, { organization, creator, space }));
  progress.imported = true;
  if ((await store.get(firstStarts, theFirstStart._id))?.site) return;
  await untilUp('sites');
  const site = handbookSite(space);
  progress.site = await unlessStopped(callAsSystem(broker, publishMs)(publishHandbook, { organization, space, site }));
  await store.update(firstStarts, theFirstStart, { $set: { site: true } });
}

/**
 * Prints the banner unless it was printed. The token and the link are made here, because their secrets are stored nowhere; a process that dies before it
 * has recorded the banner leaves others to the next run.
 */
async function printBannerOnce(
  { store, config }: Dependencies,
  { creator: user, organization, space }: HandbookPayload,
  { imported, site }: Progress,
): Promise<void> {
  const { baseUrl, READER: hasReader } = config;
  const done = await store.get(firstStarts, theFirstStart._id);
  if (!done?.told) {
    const made = config.BOOTSTRAP_TOKEN ? null : await makeWaysIn(store, { user, baseUrl });
    const { email = config.BOOTSTRAP_EMAIL } = (await store.get(users, user, { fields: ['email'] })) ?? {};
    const first = { organization, email, space, made };
    const shown = hasReader ? site : null;
    process.stdout.write(firstStartBanner({ baseUrl, first, handbook: imported, site: shown }));
  }
  await store.update(firstStarts, theFirstStart, { $set: { told: true, ...(imported ? { handbook: true } : {}) } });
}

/** Makes an API token and a sign-in link of the first user, for the banner. */
async function makeWaysIn(
  store: Store,
  { user, baseUrl }: { user: string; baseUrl: string },
): Promise<{ token: string; link: string }> {
  const { document, secret } = newApiToken({ user, label });
  const { address, link } = handedLink(user, baseUrl);
  await store.batch([link, write.insert(apiTokens, document)]);
  return { token: secret, link: address };
}
