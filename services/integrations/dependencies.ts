import { blobLinks } from '../../shared/blobs/links.js';
import { auditRecorded } from '../../shared/contract/audit.js';
import type { Caller } from '../../shared/contract/caller.js';
import { deliverOver } from '../../shared/contract/delivery.js';
import { endpointsUrlOf } from '../../shared/contract/integration-endpoints.js';
import { integrationTokens } from '../../shared/contract/integration-token.js';
import { callAsSystem, callFrom } from '../../shared/contract/service.js';
import { Jobs, jobCollections } from '../../shared/jobs/jobs.js';
import { Outbox, outboxCollection } from '../../shared/jobs/outbox.js';
import { createOutbound } from '../../shared/outbound/client.js';
import type { Host } from '../../shared/process/platform.js';
import { scaleMs } from '../../shared/settings/time-scale.js';
import type { Collection } from '../../shared/store/port.js';
import { HeldBytes } from '../../shared/work/held-bytes.js';
import { catalogueCollections } from './catalogue/model.js';
import type { NoticeDependencies } from './deliveries/notices/notify.js';
import { eventCollections } from './deliveries/queue/model.js';
import { RecordingLimit } from './deliveries/records/record.js';
import { integrationsEvents } from './events.js';
import type { InstallationDependencies } from './installations/find.js';
import { installationCollections } from './installations/model.js';
import { administeringOwn } from './installations/reach/administering.js';
import { bodyLimits } from './runtime/limits.js';
import { createRuntime, launcherAt, launcherHere } from './runtime/runtime.js';
import type { ServingDependencies } from './serving/ask-script.js';

/** The fields that the rooms ask for, together; each room names its own. */
export type IntegrationsDependencies = InstallationDependencies & NoticeDependencies & ServingDependencies;

/** Every collection of the service, to be prepared at start. */
export const integrationsCollections = [
  ...catalogueCollections,
  ...installationCollections,
  ...eventCollections,
  ...Object.values(jobCollections('integrations')),
  ...Object.values(jobCollections('integrations_deliveries')),
  outboxCollection('integrations'),
] as Collection<never>[];

/** Lanes that one process delivers at a time. */
const lanesAtOnce = 24;
const callTimeoutMs = scaleMs(10_000);

export function openDependencies(host: Host): IntegrationsDependencies {
  const { config, store, blobs, secrets, log, exclusive, consumers, broker } = host;
  const { baseUrl, INTEGRATIONS_API_URL, INTEGRATION_PROCESSES, OUTBOUND_ALLOW_CIDRS } = config;
  const { INTEGRATION_RUNNER, INTEGRATION_SANDBOX } = config;
  const outbound = createOutbound({ allowCidrs: OUTBOUND_ALLOW_CIDRS });
  const apiEndpoint = INTEGRATIONS_API_URL ?? baseUrl;
  const callAs = (caller: Caller) => callFrom(broker, { caller, deadline: Date.now() + callTimeoutMs, requestId: '' });
  const bodies = new HeldBytes(bodyLimits);
  return {
    baseUrl,
    endpointsUrl: endpointsUrlOf(config),
    apiEndpoint,
    log,
    store,
    blobs,
    links: blobLinks(secrets),
    secrets,
    tokens: integrationTokens(secrets, baseUrl),
    outbox: new Outbox({
      store,
      service: 'integrations',
      emits: [auditRecorded, ...integrationsEvents],
      consumers,
      log,
      exclusive,
      deliver: deliverOver(broker),
    }),
    jobs: new Jobs({ store, service: 'integrations', log, exclusive }),
    deliveries: new Jobs({
      store,
      service: 'integrations_deliveries',
      log,
      exclusive,
      concurrency: lanesAtOnce,
      blameless: true,
    }),
    recording: new RecordingLimit(),
    outbound,
    allowCidrs: OUTBOUND_ALLOW_CIDRS,
    bodies,
    runtime: createRuntime({
      log,
      outbound,
      apiEndpoint,
      bodies,
      launcher: INTEGRATION_RUNNER ? launcherAt(INTEGRATION_RUNNER, log) : launcherHere(INTEGRATION_SANDBOX, log),
      maxProcesses: INTEGRATION_PROCESSES,
    }),
    administering: administeringOwn({ store, callAs }),
    callAsSystem: () => callAsSystem(broker),
    callAs,
  };
}
