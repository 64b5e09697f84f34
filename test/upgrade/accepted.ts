import type { Accepted } from './contract/breaks.js';

/** A site is in one of these languages only where somebody chose it; a process of the last release hands it on as it is. */
const languages = 'sites speak 29 more languages';

/** While processes of both releases run, reviews and merges that the former tells of are in no notification. */
const missed = 'notifications of reviews are new';

/** Connections look again by themselves, and a later change has translations follow. */
const followed = 'Git connections and translations of spaces are new';

/** Roles on sites are new: while processes of both releases run, one of a member who leaves stays, and holds again only if it comes back. */
const roles = 'roles on sites are new';

/** They are new kinds of entries where somebody added one, and no process asks another for them; the reader is new, too. */
const linked = 'external links of sites are new';

/** Breaks between the last release and this one that are meant: by their place, with the reason. Emptied with each new baseline. */
export const accepted: Accepted = {
  'events.content.changeRequestMerged.comments': missed,
  'events.content.reviewersRequested.comments': missed,
  'events.content.contentChanged.content': followed,
  'events.content.changeRequestArchived.content': followed,
  'operations.listAuditEvents':
    'it has its public name, at the same path, and processes still call it by the former one',
  'events.identity.memberRemoved.sites': roles,
  'events.identity.teamRemoved.sites': roles,
  'documents.sites_customizations.settings.internationalization.locale': languages,
  'documents.sites_site_spaces.customization.internationalization.locale': languages,
  'operations.createSpace.body.template': 'the last release refused every template',
  'operations.getPublishedContentSite.response.customizations.site.internationalization.locale': languages,
  'operations.getPublishedContentSite.response.customizations.siteSpaces.*.internationalization.locale': languages,
  'operations.addSectionGroupToSite.response.children[]': linked,
  'operations.addSectionToGroup.response.children[]': linked,
  'operations.getPublishedContentSite.response.structure.structure[].children[]': linked,
  'operations.getPublishedContentSite.response.structure.structure[]': linked,
  'operations.getSiteStructure.response.structure[].children[]': linked,
  'operations.getSiteStructure.response.structure[]': linked,
  'operations.listSiteSectionGroups.response.items[].children[]': linked,
  'operations.moveSiteSectionGroup.response.children[]': linked,
  'operations.sortSiteStructure.response.children[]': linked,
  'operations.sortSiteStructure.response': linked,
  'operations.updateSiteSectionGroupById.response.children[]': linked,
  'operations.getSiteCustomizationById.response.internationalization.locale': languages,
  'operations.getSiteSpaceCustomizationById.response.internationalization.locale': languages,
  'operations.overrideSiteSpaceCustomizationById.response.internationalization.locale': languages,
  'operations.updateSiteCustomizationById.response.internationalization.locale': languages,
};

/** Fields of answers whose values changed since the last release, as the changelog says. */
export const changedFields = /\.urls\.preview$/;

/** Operations whose answers the last release gives otherwise after the way back, since it does not know what this one wrote. */
export const otherAnswers = [
  // It has no OpenID providers.
  'listSSOProviderLoginsInOrganization',
  // Its spaces and collections have no order but that of their making.
  ...['listSpacesInOrganizationById', 'listCollectionsInOrganizationById'],
  // It has no roles on sites, and no external links.
  ...['listSites', 'getSiteStructure', 'listSiteSectionGroups', 'getPublishedContentSite'],
];

/** Members of bodies, by operation, that the last release refuses. */
export const newMembers = { createSpace: ['template'] };
