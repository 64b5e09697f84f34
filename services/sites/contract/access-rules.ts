import { by } from '../../../shared/contract/access.js';
import { shownContentKind, siteKind } from '../resources.js';

/** With a `scope`, installations that have it may call the operation too. */
export const onSite = (need: keyof typeof siteKind.rights, scope?: string) =>
  ({ ...by(['user'], scope), on: siteKind, id: 'siteId', within: 'organizationId', need }) as const;

/** For operations that open what a site shows to visitors. */
export const openingSite = (scope?: string) =>
  ({ ...by(['user'], scope), on: shownContentKind, id: 'siteId', within: 'organizationId', need: 'publish' }) as const;

/** For operations that visitors with a content token of the site may call too. */
export const visitingSite = (scope?: string) =>
  ({ ...by(['user', 'content'], scope), on: siteKind, id: 'siteId', within: 'organizationId', need: 'view' }) as const;

/** The path of a site; operations append theirs. */
export const site = '/orgs/{organizationId}/sites/{siteId}';
