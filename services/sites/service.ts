import type { ServiceSchema } from 'moleculer';
import { archiveVerbs } from '../../shared/contract/archive.js';
import { type AuditRecord, auditRecorded } from '../../shared/contract/audit.js';
import { eventReceiver } from '../../shared/contract/event.js';
import { KeyedRequests } from '../../shared/contract/keyed-requests.js';
import { bindService, implementVerb } from '../../shared/contract/service.js';
import type { Host } from '../../shared/process/platform.js';
import { findShownSpaces, findSpacesOfSite } from '../content/contract.js';
import { countSites, hasSite, publishHandbook } from '../identity/contract.js';
import { siteLists } from './archive/archived-sites.js';
import {
  addressesOfSite,
  isSiteHost,
  listPublicSites,
  presentSites,
  sitesContract,
  standingOf,
  visitorAuthentication,
  visitorSigningKey,
  visitSite,
} from './contract.js';
import { customizationHandlers } from './customization/customization-handlers.js';
import { openDependencies, sitesCollections } from './dependencies.js';
import { mcpServerHandlers } from './mcp-servers/mcp-server-handlers.js';
import { sitePermissionHandlers } from './permissions/permission-handlers.js';
import { adaptiveSchemaHandlers } from './publishing/adaptive-schema-handlers.js';
import { visitorAuthenticationOf } from './publishing/publishing-auth.js';
import { publishingAuthHandlers } from './publishing/publishing-auth-handlers.js';
import { shareLinkHandlers } from './publishing/share-link-handlers.js';
import { visitorSigningOf } from './publishing/visitor-signing.js';
import { redirectHandlers } from './redirects/redirect-handlers.js';
import { shownContentKind, siteKind } from './resources.js';
import { externalLinkHandlers } from './sections/external-link-handlers.js';
import { sectionGroupHandlers } from './sections/section-group-handlers.js';
import { sectionHandlers } from './sections/section-handlers.js';
import { resolveShownContent } from './sections/shown-content.js';
import { shownAmong, spacesOfSite } from './sections/shown-spaces.js';
import { siteSpaceHandlers } from './sections/site-space-handlers.js';
import { structureHandlers } from './sections/structure-handlers.js';
import { isSiteOf, resolveSites } from './site/access.js';
import { countAccessibleSites } from './site/counts.js';
import { addressesOf } from './site/site-addresses.js';
import { customHostnameHandlers } from './sites/custom-hostname-handlers.js';
import { publishHandbookSite } from './sites/handbook-site.js';
import { sitesFor } from './sites/presented-sites.js';
import { publicSites } from './sites/public-sites.js';
import { siteHandlers } from './sites/site-handlers.js';
import { sitesConsumes, sitesSubscribers } from './subscriptions.js';
import { askingHandlers } from './visiting/asking/asking-handlers.js';
import { responseHandlers } from './visiting/asking/response-handlers.js';
import { isSiteHost as isHostOfSite } from './visiting/hosts.js';
import { contentUrlHandlers } from './visiting/named/content-url-handlers.js';
import { previewHandlers } from './visiting/preview-handlers.js';
import { copyingHandlers } from './visiting/published/copying-handlers.js';
import { publishedHandlers } from './visiting/published/published-handlers.js';
import { visitSite as visitPublishedSite } from './visiting/published/visit-site.js';
import { standingOf as standingOfVisitor } from './visiting/standing.js';

export function sitesService(host: Host): ServiceSchema {
  const { store, config, ready, writable } = host;
  const deps = openDependencies(host);
  const { renderers, outbox } = deps;
  const auditTrail = (record: AuditRecord) => outbox.add(auditRecorded, record);
  return bindService({
    name: 'sites',
    contract: sitesContract,
    ready,
    writable,
    keyedRequests: new KeyedRequests({ ...host, service: 'sites' }),
    checkResponses: config.CHECK_RESPONSES,
    auditTrail,
    resolvers: [
      { kind: siteKind, resolve: (question) => resolveSites(store, question) },
      { kind: shownContentKind, resolve: (question) => resolveShownContent(deps, question) },
    ],
    handlers: {
      ...siteHandlers(deps),
      ...structureHandlers(deps),
      ...sectionHandlers(deps),
      ...sectionGroupHandlers(deps),
      ...siteSpaceHandlers(deps),
      ...externalLinkHandlers(deps),
      ...shareLinkHandlers(deps),
      ...publishingAuthHandlers(deps),
      ...previewHandlers(deps),
      ...adaptiveSchemaHandlers(deps),
      ...redirectHandlers(deps),
      ...publishedHandlers(deps),
      ...copyingHandlers(deps),
      ...askingHandlers(deps),
      ...responseHandlers(deps),
      ...contentUrlHandlers(deps),
      ...customizationHandlers(deps),
      ...mcpServerHandlers(deps),
      ...sitePermissionHandlers(deps),
      ...customHostnameHandlers(deps),
    },
    verbs: [
      ...archiveVerbs('sites', deps, siteLists),
      implementVerb(countSites, (question) => countAccessibleSites(store, question)),
      implementVerb(findShownSpaces, (asked) => shownAmong(store, asked)),
      implementVerb(findSpacesOfSite, (asked, { caller }) => spacesOfSite(deps, asked, caller)),
      implementVerb(hasSite, (question) => isSiteOf(store, question)),
      implementVerb(publishHandbook, (handbook, context) =>
        publishHandbookSite({ ...deps, trail: auditTrail }, handbook, context),
      ),
      implementVerb(listPublicSites, (_, { call }) => publicSites(deps, call)),
      implementVerb(presentSites, (question, context) => sitesFor(deps, question, context)),
      implementVerb(visitorSigningKey, (question, { caller }) => visitorSigningOf(deps, question, caller)),
      implementVerb(addressesOfSite, (question, { call }) => addressesOf(deps, { call, ...question })),
      implementVerb(visitorAuthentication, ({ site }) => visitorAuthenticationOf(deps, site)),
      implementVerb(isSiteHost, ({ host }, { call }) => isHostOfSite(deps, { call, host })),
      implementVerb(visitSite, (question, context) => visitPublishedSite(deps, question, context)),
      implementVerb(standingOf, ({ visitor }, { call }) => standingOfVisitor(deps, { call, visitor })),
    ],
    receive: eventReceiver(sitesConsumes, sitesSubscribers(deps, auditTrail)),
    async started() {
      await store.prepare(sitesCollections);
    },
    async background() {
      outbox.start();
      await renderers.start();
    },
    async stopped() {
      await Promise.all([outbox.stop(), renderers.stop()]);
    },
  });
}
