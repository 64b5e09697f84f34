import type { ServiceSchema } from 'moleculer';
import { type AuditRecord, auditRecorded } from '../../shared/contract/audit.js';
import { contentTokens } from '../../shared/contract/content-token.js';
import { deliverOver } from '../../shared/contract/delivery.js';
import { receiver } from '../../shared/contract/event.js';
import { bindService, callFrom, implement } from '../../shared/contract/service.js';
import type { Host } from '../../shared/platform.js';
import { signedTokens } from '../../shared/secrets/signed-tokens.js';
import { Outbox } from '../../shared/work/outbox.js';
import { hasSite, sitesContract, standingOf } from './contract.js';
import {
  dropOverrides,
  getSiteCustomization,
  getSiteSpaceCustomization,
  overrideCustomization,
  setSiteCustomization,
} from './customizations.js';
import { siteCollections, sites } from './model.js';
import { publishingHandlers } from './publishing-handlers.js';
import type { PublishingRules } from './publishing-rules.js';
import { Renderers } from './renderers.js';
import { siteKind } from './resources.js';
import type { SiteRules } from './rules.js';
import {
  createGroup,
  deleteGroup,
  listGroups,
  moveSectionGroup,
  putIntoGroup,
  takeFromGroup,
  updateGroup,
} from './section-groups.js';
import { createSection, deleteSection, listSections, moveSiteSection, updateSection } from './sections.js';
import { addSiteSpace, listSiteSpaces, moveSiteSpace, removeSiteSpace, updateSiteSpace } from './site-spaces.js';
import { createSite, deleteSite, getSite, listSites, resolveSites, setPublished, updateSite } from './sites.js';
import { getStructure, idsOf, sortStructure } from './sorting.js';
import { standingOf as standingOfVisitor } from './standing.js';
import { Structures } from './structures.js';
import { sitesConsumes, sitesSubscribers } from './subscriptions.js';
import { VisibleSites } from './visible.js';

export function sitesService({ store, config, log, ready, secrets, broker, consumers }: Host): ServiceSchema {
  const renderers = new Renderers({ store, config, log });
  const structures = new Structures(store, renderers);
  const rules: SiteRules = { store, config, structures, renderers };
  const publishing: PublishingRules = {
    ...rules,
    secrets,
    visible: new VisibleSites(store, structures),
    contents: contentTokens(secrets, config.baseUrl),
    previews: signedTokens(secrets, { purpose: 'site-preview', issuer: config.baseUrl }),
    callAs: (caller) => callFrom(broker, { caller, deadline: Date.now() + 5000, requestId: '' }),
  };
  const emits = [auditRecorded];
  const outbox = new Outbox({ store, service: 'sites', emits, consumers, log, deliver: deliverOver(broker) });
  const write = (record: AuditRecord) => outbox.add(auditRecorded, record);
  return bindService({
    name: 'sites',
    contract: sitesContract,
    ready,
    checkResponses: config.CHECK_RESPONSES,
    auditTrail: {
      write,
      wake() {
        outbox.wake();
        renderers.wake();
      },
    },
    resolvers: [{ kind: siteKind, resolve: (question) => resolveSites(store, question) }],
    handlers: {
      listSites: ({ path, query }, context) => listSites(rules, context, path.organizationId, query),
      createSite: ({ path, body }, context) => createSite(rules, context, path.organizationId, body),
      getSiteById: ({ path }, context) => getSite(rules, context, path.siteId),
      updateSiteById: ({ path, body }, context) => updateSite(rules, context, path.siteId, body),
      deleteSiteById: ({ path }, context) => deleteSite(rules, context, path.siteId),
      publishSite: ({ path }, context) => setPublished(rules, context, path.siteId, true),
      unpublishSite: ({ path }, context) => setPublished(rules, context, path.siteId, false),

      getSiteStructure: ({ path, query }, context) => getStructure(rules, context, path.siteId, query.shareKey),
      sortSiteStructure: ({ path, body }, context) =>
        sortStructure(rules, context, path.siteId, body.item, body.position),

      listSiteSections: ({ path, query }, context) => listSections(rules, context, path.siteId, query),
      addSectionToSite: ({ path, body }, context) =>
        createSection(rules, context, path.organizationId, path.siteId, body),
      updateSiteSectionById: ({ path, body }, context) =>
        updateSection(rules, context, path.siteId, path.siteSectionId, body),
      deleteSiteSectionById: ({ path }, context) => deleteSection(rules, context, path.siteId, path.siteSectionId),
      moveSiteSection: ({ path, body }, context) =>
        moveSiteSection(rules, context, path.siteId, path.siteSectionId, idsOf(body.position)),

      listSiteSectionGroups: ({ path, query }, context) => listGroups(rules, context, path.siteId, query),
      addSectionGroupToSite: ({ path, body }, context) => createGroup(rules, context, path.siteId, body),
      updateSiteSectionGroupById: ({ path, body }, context) =>
        updateGroup(rules, context, path.siteId, path.siteSectionGroupId, body),
      deleteSiteSectionGroupById: ({ path }, context) =>
        deleteGroup(rules, context, path.siteId, path.siteSectionGroupId),
      addSectionToGroup: ({ path, body }, context) =>
        putIntoGroup(rules, context, path.siteId, path.siteSectionGroupId, body.sectionId),
      removeSectionFromGroup: ({ path }, context) =>
        takeFromGroup(rules, context, path.siteId, path.siteSectionGroupId, path.siteSectionId),
      moveSiteSectionGroup: ({ path, body }, context) =>
        moveSectionGroup(rules, context, path.siteId, path.siteSectionGroupId, idsOf(body.position)),

      listSiteSpaces: ({ path, query }, context) => listSiteSpaces(rules, context, path.siteId, query),
      addSpaceToSite: ({ path, body }, context) => addSiteSpace(rules, context, path.organizationId, path.siteId, body),
      updateSiteSpaceById: ({ path, body }, context) =>
        updateSiteSpace(rules, context, path.organizationId, path.siteId, path.siteSpaceId, body),
      deleteSiteSpaceById: ({ path }, context) => removeSiteSpace(rules, context, path.siteId, path.siteSpaceId),
      moveSiteSpace: ({ path, body }, context) =>
        moveSiteSpace(rules, context, path.siteId, path.siteSpaceId, idsOf(body.position)),

      ...publishingHandlers(publishing),

      getSiteCustomizationById: ({ path }) => getSiteCustomization(rules, path.siteId),
      updateSiteCustomizationById: ({ path, body }, context) => setSiteCustomization(rules, context, path.siteId, body),
      getSiteSpaceCustomizationById: ({ path }) => getSiteSpaceCustomization(rules, path.siteId, path.siteSpaceId),
      overrideSiteSpaceCustomizationById: ({ path, body }, context) =>
        overrideCustomization(rules, context, path.siteId, path.siteSpaceId, body),
      deleteSiteSpaceCustomizationById: ({ path }, context) =>
        dropOverrides(rules, context, path.siteId, path.siteSpaceId),
    },
    verbs: [
      implement(hasSite, async ({ organization, site }) => {
        const found = await store.get(sites, site, { fields: ['organization'] });
        return found?.organization === organization;
      }),
      implement(standingOf, ({ visitor }, { call }) => standingOfVisitor(publishing, call, visitor)),
    ],
    receive: receiver(sitesConsumes, sitesSubscribers(rules, write)),
    async started() {
      await store.prepare(siteCollections);
      outbox.start();
      await renderers.start();
    },
    async stopped() {
      await Promise.all([outbox.stop(), renderers.stop()]);
    },
  });
}
