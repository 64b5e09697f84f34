import type { Subscribers } from '../../shared/contract/event.js';
import { memberRemoved, teamRemoved } from '../identity/events.js';
import { dropGrantsOf, type GrantRules } from './grants.js';

/** The events that content consumes. */
export const contentConsumes = { memberRemoved, teamRemoved };

export const contentSubscribers = (rules: GrantRules): Subscribers<typeof contentConsumes> => ({
  async memberRemoved(removals) {
    for (const { organization, user: id, removedAt: until } of removals)
      await dropGrantsOf(rules, { organization, principal: 'user', id, until });
  },
  async teamRemoved(removals) {
    for (const { organization, team: id, removedAt: until } of removals)
      await dropGrantsOf(rules, { organization, principal: 'team', id, until });
  },
});
