import type { HandlersOf } from '../../../../shared/contract/service.js';
import type { StoredKind } from '../../../../shared/contract/usage.js';
import { conflict, rateLimited } from '../../../../shared/errors/errors.js';
import type { Jobs } from '../../../../shared/jobs/jobs.js';
import { scaleMs } from '../../../../shared/settings/time-scale.js';
import { write } from '../../../../shared/store/port.js';
import { timestamp } from '../../../../shared/values/ids.js';
import { findIntegration } from '../../catalogue/find.js';
import type { eventOperations } from '../../contract/events.js';
import { findInstallation, type InstallationPath } from '../../installations/find.js';
import { uncountWrites } from '../queue/kept-events.js';
import { events } from '../queue/model.js';
import { laneJob, lastInLane, type QueueDependencies, queueEvents } from '../queue/queue.js';
import { eventsPage, findEvent, type Owner, tracedEvent } from './lists.js';

/** Limit for all integrations of an organization together: their tasks have up to 64 KiB each. */
const maxTasks = 10_000;
/** Milliseconds after which an integration of an organization with too many tasks may try again. */
const tasksWaitMs = scaleMs(60_000);

/** Tasks take turns beside what organizations cause. */
const shareOfTasks = (owner: string) => `tasks of ${owner}`;

/** The tasks of the integrations of an organization that wait. */
export const waitingTasks = async (
  { deliveries }: { deliveries: Jobs },
  organization: string,
): Promise<StoredKind> => ({
  kind: 'tasks',
  unit: 'items',
  used: await deliveries.countUnfinished(shareOfTasks(organization)),
  limit: maxTasks,
});

type Dependencies = Pick<QueueDependencies, 'store' | 'deliveries' | 'secrets'>;

export function eventHandlers(deps: Dependencies): HandlersOf<typeof eventOperations> {
  const { store, deliveries } = deps;

  const ofIntegration = async ({ integrationName }: { integrationName: string }): Promise<Owner> => ({
    publication: (await findIntegration(deps, integrationName)).publication,
  });

  async function ofInstallation(path: InstallationPath): Promise<Owner> {
    await findInstallation(deps, path);
    return { installation: path.installationId, integration: path.integrationName };
  }

  return {
    async listIntegrationEvents({ path, query }) {
      return eventsPage(deps, await ofIntegration(path), query);
    },

    async getIntegrationEvent({ path }) {
      return tracedEvent(deps, await findEvent(store, await ofIntegration(path), path.eventId));
    },

    async queueIntegrationTask({ path, body: { task, schedule } }) {
      const integration = await findIntegration(deps, path.integrationName);
      const organization = shareOfTasks(integration.organization ?? integration.publication);
      if ((await deliveries.countUnfinished(organization)) >= maxTasks) {
        const text = `The integrations of an organization have at most ${maxTasks.toLocaleString('en')} tasks waiting`;
        throw rateLimited(text, tasksWaitMs, 'too_many_jobs');
      }
      const runAt = timestamp(new Date(Date.now() + schedule * 1000));
      await store.batch(await queueEvents(deps, [{ integration, organization, type: 'task', data: { task }, runAt }]));
    },

    async listInstallationEvents({ path, query }) {
      return eventsPage(deps, await ofInstallation(path), query);
    },

    async getInstallationEvent({ path }) {
      return tracedEvent(deps, await findEvent(store, await ofInstallation(path), path.eventId));
    },

    async resendInstallationEvent({ path }, { access: { organization }, audit }) {
      const event = await findEvent(store, await ofInstallation(path), path.eventId);
      const { _id, lane: waits, answered, result } = event;
      if (answered) throw conflict('This event was answered at once; it cannot be sent again', 'wrong_state');
      if (waits !== undefined) throw conflict('This event is waiting to be sent', 'wrong_state');
      const lane = path.installationId;
      const again = { lane, sequence: await lastInLane(deps, lane), attempts: 0 };
      await store.batch([
        write.update(
          events,
          { _id, lane: null as never },
          {
            $set: { ...again, result: result === 'dead' ? 'failed' : result },
            $unset: { runAt: true, excused: true, keptFor: true, bytes: true },
          },
          { expect: 1 },
        ),
        ...uncountWrites([event]),
        laneJob(deps, { lane, share: organization }),
        audit('installation', lane, { details: { event: _id } }),
      ]);
    },
  };
}
