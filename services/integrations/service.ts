import type { ServiceSchema } from 'moleculer';
import { archiveVerbs } from '../../shared/contract/archive.js';
import { auditRecorded } from '../../shared/contract/audit.js';
import { eventReceiver } from '../../shared/contract/event.js';
import { KeyedRequests } from '../../shared/contract/keyed-requests.js';
import { bindService, implementVerb } from '../../shared/contract/service.js';
import type { Host } from '../../shared/process/platform.js';
import { callerOfIntegration } from '../identity/contract.js';
import { scriptsOfSite } from '../sites/contract.js';
import { integrationLists } from './archive/archived-integrations.js';
import { resolveIntegrations } from './catalogue/access.js';
import { catalogueHandlers } from './catalogue/catalogue-handlers.js';
import { seedBuiltIn } from './catalogue/publishing/built-in.js';
import { removeFilesJob } from './catalogue/publishing/files.js';
import { integrationsContract, noteViews, wantsViews } from './contract.js';
import { deliverJob } from './deliveries/attempts/deliver-job.js';
import { Sweep } from './deliveries/attempts/sweep.js';
import { tellContentJob } from './deliveries/notices/content-job.js';
import { noteViews as viewsNoted, wantsViews as viewsWanted } from './deliveries/notices/views.js';
import { finishedEventUsage } from './deliveries/queue/kept-events.js';
import { eventHandlers, waitingTasks } from './deliveries/records/event-handlers.js';
import { integrationsCollections, openDependencies } from './dependencies.js';
import { contentInstallationHandlers } from './installations/content-installation-handlers.js';
import { installationHandlers } from './installations/installation-handlers.js';
import { resolveInstallations } from './installations/reach/access.js';
import { callerOfToken } from './installations/reach/callers.js';
import { findInstalled } from './installations/reach/installed-in.js';
import { tellScriptsJob } from './installations/script-changes.js';
import { removeInstallationJob } from './installations/uninstalling.js';
import { organizationIntegrationHandlers } from './listings/organization-handlers.js';
import { shownIntegrationHandlers } from './listings/place-handlers.js';
import { scriptsOnPages } from './listings/scripts.js';
import { spaceIntegrationHandlers } from './listings/space-handlers.js';
import { removePublicationJob } from './removal/remove-publication-job.js';
import { installationKind, integrationKind } from './resources.js';
import { contentVerbs } from './serving/content-verbs.js';
import { endpointVerbs } from './serving/endpoints.js';
import { renderHandlers } from './serving/render-handlers.js';
import { integrationsConsumes, integrationsSubscribers } from './subscriptions.js';
import { webhook } from './webhooks/declaration.js';

export function integrationsService(host: Host): ServiceSchema {
  const { config, ready, writable } = host;
  const deps = openDependencies(host);
  const { store, jobs, deliveries, outbox, runtime, outbound } = deps;
  const sweep = new Sweep(deps);
  return bindService({
    name: 'integrations',
    contract: integrationsContract,
    ready,
    writable,
    keyedRequests: new KeyedRequests({ ...host, service: 'integrations' }),
    usage: (organization) => Promise.all([waitingTasks(deps, organization), finishedEventUsage(store, organization)]),
    checkResponses: config.CHECK_RESPONSES,
    resolvers: [
      { kind: integrationKind, resolve: (asked) => resolveIntegrations(deps, asked, findInstalled(deps)) },
      { kind: installationKind, resolve: (asked) => resolveInstallations(deps, asked) },
    ],
    handlers: {
      ...catalogueHandlers(deps),
      ...organizationIntegrationHandlers(deps),
      ...spaceIntegrationHandlers(deps),
      ...shownIntegrationHandlers(deps),
      ...installationHandlers(deps),
      ...contentInstallationHandlers(deps),
      ...eventHandlers(deps),
      ...renderHandlers(deps),
    },
    verbs: [
      implementVerb(callerOfIntegration, (asked) => callerOfToken(deps, asked)),
      implementVerb(scriptsOfSite, ({ organization, site }) =>
        scriptsOnPages(deps, { organization, kind: 'site', target: site }),
      ),
      ...endpointVerbs(deps),
      ...contentVerbs(deps),
      ...archiveVerbs('integrations', deps, integrationLists),
      implementVerb(wantsViews, (asked) => viewsWanted(deps, asked)),
      implementVerb(noteViews, viewsNoted(deps)),
    ],
    receive: eventReceiver(integrationsConsumes, integrationsSubscribers(deps)),
    auditTrail: (record) => outbox.add(auditRecorded, record),
    async started() {
      await store.prepare(integrationsCollections);
      await seedBuiltIn(deps, [webhook]);
    },
    async background() {
      jobs.register(removeFilesJob(deps));
      jobs.register(removePublicationJob(deps));
      jobs.register(removeInstallationJob(deps));
      jobs.register(tellScriptsJob(deps));
      jobs.register(tellContentJob(deps));
      deliveries.register(deliverJob(deps));
      await Promise.all([jobs.start(), deliveries.start()]);
      sweep.start();
      outbox.start();
    },
    async stopped() {
      await Promise.all([jobs.stop(), deliveries.stop(), outbox.stop(), sweep.stop()]);
      await runtime.close();
      await outbound.close();
    },
  });
}
