import { shownContentKind, siteKind } from '../resources.js';

export const onSite = (need: keyof typeof siteKind.rights) =>
  ({ caller: ['user'], on: siteKind, id: 'siteId', within: 'organizationId', need }) as const;

/** For operations that open what a site shows to visitors. */
export const openingSite = {
  caller: ['user'],
  on: shownContentKind,
  id: 'siteId',
  within: 'organizationId',
  need: 'publish',
} as const;

/** For operations that visitors with a content token of the site may call too. */
export const visitingSite = {
  caller: ['user', 'content'],
  on: siteKind,
  id: 'siteId',
  within: 'organizationId',
  need: 'view',
} as const;

/** The path of a site; operations append theirs. */
export const site = '/orgs/{organizationId}/sites/{siteId}';
