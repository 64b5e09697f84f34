import type { Store } from '../../../shared/store/port.js';
import type { CountSites } from '../../identity/contract.js';
import { sites } from './model.js';
import { openVisibilities } from './resources.js';

/** Counts the sites that each member can access: all of the organization, or as a guest those that anyone may visit. */
export async function countAccessibleSites(store: Store, { organization, members }: CountSites): Promise<number[]> {
  const isOpen = { published: true, visibility: { $in: [...openVisibilities] } };
  const [all, open] = await Promise.all([
    members.some(({ role }) => role !== null) ? store.count(sites, { organization }) : 0,
    members.some(({ role }) => role === null) ? store.count(sites, { organization, ...isOpen }) : 0,
  ]);
  return members.map(({ role, disabled }) => {
    if (disabled) return 0;
    return role === null ? open : all;
  });
}
