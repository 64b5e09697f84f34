import { type HasStore, write } from '../../../shared/store/port.js';
import { type SiteGrantDocument, siteGrants } from '../site/grants.js';

export interface DropSiteGrants extends Pick<SiteGrantDocument, 'organization' | 'principal' | 'id'> {
  /** ISO time; later grants stay. */
  before: string;
}

/**
 * Removes the grants on sites of a user or a team that has left. Refusals of a user stay: nobody gets around one by leaving and joining
 * again. Safe to repeat.
 */
export async function dropSiteGrants(
  { store }: HasStore,
  { organization, principal, id, before }: DropSiteGrants,
): Promise<void> {
  const stays = principal === 'user' ? { role: { $ne: null } } : {};
  await store.batch([write.delete(siteGrants, { organization, principal, id, createdAt: { $lt: before }, ...stays })]);
}
