import type { Call } from '../../../../shared/contract/service.js';
import type { Jobs } from '../../../../shared/jobs/jobs.js';
import type { Log } from '../../../../shared/monitoring/log.js';
import type { IntegrationScope } from '../../catalogue/resources.js';
import { readConfiguration } from '../../installations/configurations/stored-configurations.js';
import { type CoveredPlace, type Covering, coveringInstallations } from '../../installations/reach/coverage.js';
import type { InstallationConfiguration } from '../../installations/resources.js';
import { selectsType } from '../../webhooks/selection.js';
import { type NewEvent, type QueueDependencies, queueEvents } from '../queue/queue.js';

export interface NoticeDependencies extends QueueDependencies {
  log: Log;
  jobs: Jobs;
  callAsSystem: () => Call;
}

/** Something that happened on a space or site, for the integrations that work there and have the scope. */
export interface Notice extends CoveredPlace {
  /** Stays the same when the notice is repeated: then no event is queued twice. */
  id: string;
  scope: IntegrationScope;
  type: string;
  /** The installation that did it; absent for people. */
  by?: string | undefined;
  /** The payload besides the ids of the installation and of the place. */
  data: object;
}

/** Events that are queued in one batch. */
const atOnce = 300;

/** Finds the installations to notify; reads what it needs to know once. */
export class Audience {
  private readonly covering = new Map<string, Promise<Covering[]>>();
  private readonly configurations = new Map<string, Promise<InstallationConfiguration>>();

  constructor(private readonly deps: QueueDependencies) {}

  /** The installations that get an event of this type. */
  async findReceivers({
    scope,
    type,
    ...place
  }: Pick<Notice, 'scope' | 'type' | keyof CoveredPlace>): Promise<Covering[]> {
    const wanting: Covering[] = [];
    for (const each of await this.findCovering(place)) if (await this.isFor(each, { scope, type })) wanting.push(each);
    return wanting;
  }

  /** Whether an installation gets events of a type where it works: scripts what their scopes allow, webhooks what they select. */
  async isFor(
    { integration, installation }: Pick<Covering, 'integration' | 'installation'>,
    { scope, type }: Pick<Notice, 'scope' | 'type'>,
  ): Promise<boolean> {
    if (!integration.scopes.includes(scope)) return false;
    if (integration.format !== 'built-in') return true;
    const { _id } = installation;
    const configuration = this.configurations.get(_id) ?? readConfiguration(this.deps, installation);
    this.configurations.set(_id, configuration);
    return selectsType(await configuration, type);
  }

  private findCovering({ organization, kind, target }: CoveredPlace): Promise<Covering[]> {
    const key = `${kind} ${target}`;
    const known = this.covering.get(key);
    if (known) return known;
    const asked = coveringInstallations(this.deps, { organization, kind, target });
    this.covering.set(key, asked);
    return asked;
  }
}

/** The events that notify integrations of what happened, in that order. */
export async function makeEvents(audience: Audience, notices: readonly Notice[]): Promise<NewEvent[]> {
  const events: NewEvent[] = [];
  for (const { id, organization, kind, target, scope, type, by, data } of notices)
    for (const { integration, installation } of await audience.findReceivers({
      organization,
      kind,
      target,
      scope,
      type,
    }))
      events.push({
        id: `${id}_${installation._id}`,
        integration,
        installation: installation._id,
        organization,
        place: { [kind]: target },
        type,
        isEcho: by === installation._id,
        data: { installationId: installation._id, [`${kind}Id`]: target, ...data },
      });
  return events;
}

/** Notifies integrations of what happened, in that order. Repeating it does no harm. */
export async function notifyIntegrations(deps: QueueDependencies, notices: readonly Notice[]): Promise<void> {
  await queueAll(deps, await makeEvents(new Audience(deps), notices));
}

/** Queues events in this order, however many. */
export async function queueAll(deps: QueueDependencies, events: readonly NewEvent[]): Promise<void> {
  for (let at = 0; at < events.length; at += atOnce)
    await deps.store.batch(await queueEvents(deps, events.slice(at, at + atOnce)));
}
