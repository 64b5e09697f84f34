import { siteKind } from '../resources.js';

export const onSite = (need: keyof typeof siteKind.rights) =>
  ({ caller: ['user'], on: siteKind, id: 'siteId', within: 'organizationId', need }) as const;

/** What visitors with a content token of the site may do too. */
export const visitingSite = {
  caller: ['user', 'content'],
  on: siteKind,
  id: 'siteId',
  within: 'organizationId',
  need: 'view',
} as const;

/** Path of a site, to which operations add theirs. */
export const site = '/orgs/{organizationId}/sites/{siteId}';
