import { z } from 'zod';
import { domainEvent, hint } from '../../shared/contract/event.js';
import { timestampSchema } from '../../shared/contract/fields.js';

/** Tokens were revoked or memberships changed: caches of callers are dropped. They expire soon anyway. */
export const callersChanged = hint('identity', 'callersChanged');

/** A member left an organization or was removed. It may join again: what it is given after `removedAt` stays. */
export const memberRemoved = domainEvent(
  'identity',
  'memberRemoved',
  z.object({ organization: z.string(), user: z.string(), removedAt: timestampSchema }),
);

/** A team of an organization was deleted. */
export const teamRemoved = domainEvent(
  'identity',
  'teamRemoved',
  z.object({ organization: z.string(), team: z.string(), removedAt: timestampSchema }),
);

/** What identity emits, besides audit records. */
export const identityEvents = [callersChanged, memberRemoved, teamRemoved];
