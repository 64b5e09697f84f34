import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Job, Jobs, jobCollections } from '../../../../../shared/jobs/jobs.js';
import { createLog } from '../../../../../shared/monitoring/log.js';
import { createOutbound } from '../../../../../shared/outbound/client.js';
import { createSecrets } from '../../../../../shared/secrets/secrets.js';
import type { Collection } from '../../../../../shared/store/port.js';
import { openSqliteStore } from '../../../../../shared/store/sqlite/store.js';
import { eventually } from '../../../../../shared/testing/eventually.js';
import { timestamp } from '../../../../../shared/values/ids.js';
import { type IntegrationDocument, integrations } from '../../../catalogue/model.js';
import type { IntegrationsDependencies } from '../../../dependencies.js';
import { configurationWrite } from '../../../installations/configurations/stored-configurations.js';
import { type InstallationDocument, installationCollections, installations } from '../../../installations/model.js';
import { type EventDocument, eventCollections, events } from '../../queue/model.js';
import { type NewEvent, queueEvents } from '../../queue/queue.js';
import { RecordingLimit } from '../../records/record.js';
import { deliverJob } from '../deliver-job.js';

const now = '2026-01-01T00:00:00.000Z';
const service = 'integrations_deliveries';

/** A service of integrations that delivers to webhooks alone, with a store of its own. */
export async function openLanes() {
  const folder = await mkdtemp(join(tmpdir(), 'bindery-lanes-'));
  const store = await openSqliteStore({ path: join(folder, 'lanes.sqlite') });
  const jobs = jobCollections(service);
  await store.prepare([
    integrations,
    ...installationCollections,
    ...eventCollections,
    ...Object.values(jobs),
  ] as unknown as Collection<never>[]);
  const log = createLog('silent');
  const secrets = createSecrets([Buffer.alloc(32, 7).toString('base64')]);
  const deliveries = new Jobs({
    store,
    service,
    log,
    exclusive: true,
    concurrency: 24,
    blameless: true,
  });
  const deps = {
    store,
    log,
    secrets,
    deliveries,
    recording: new RecordingLimit(),
    outbound: createOutbound({ allowCidrs: ['127.0.0.0/8'] }),
  } as unknown as IntegrationsDependencies;
  deliveries.register(deliverJob(deps));
  const integration = { _id: 'webhook', publication: 'built-in-webhook', format: 'built-in' } as IntegrationDocument;
  await store.insert(integrations, integration);

  return {
    ...deps,
    deps,
    jobs: jobs.jobs,

    async install(_id: string, url: string): Promise<void> {
      const about = { _id, integration: 'webhook', publication: integration.publication, organization: `of ${_id}` };
      const { write, bytes } = configurationWrite(deps, about, { url, secret: 'a-secret-of-many-characters' });
      const rest = { status: 'active', externalIds: [], bytes, version: 1, createdAt: now, updatedAt: now };
      await store.insert(installations, { ...about, ...rest } as unknown as InstallationDocument);
      await store.batch([write]);
    },

    /** Queues events of an installation, which have these numbers. */
    async queue(installation: string, numbers: number[], more: Partial<NewEvent> = {}): Promise<void> {
      const added = numbers.map((number) => ({
        integration,
        installation,
        organization: `of ${installation}`,
        type: 'comment_created',
        data: { installationId: installation, number },
        ...more,
      }));
      await store.batch(await queueEvents(deps, added));
    },

    all: async (installation: string): Promise<EventDocument[]> =>
      (await store.page(events, { filter: { installation }, sort: { createdAt: 1 }, limit: 1000 })).items,

    /** Waits until every lane is empty or waits for a later attempt. */
    async settled(): Promise<Job[]> {
      const read = async () => (await store.page(jobs.jobs, { filter: {}, sort: { runAt: 1 }, limit: 1000 })).items;
      return eventually('the rest of all lanes', read, (found) =>
        found.every(({ state, runAt }) => state === 'queued' && runAt > timestamp()),
      );
    },

    async close(): Promise<void> {
      await deliveries.stop();
      await deps.outbound.close();
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
}
