import type { ServiceBroker } from 'moleculer';
import { z } from 'zod';
import { domainEvent, hintEvent } from '../../shared/contract/event.js';
import { timestampSchema } from '../../shared/contract/fields.js';

/** Tokens were revoked or memberships changed: processes drop their cached callers, which expire soon in any case. */
export const callersChanged = hintEvent('identity', 'callersChanged');

/** Drops the cached callers of this process before it answers what changed them: the hint may come later, or be lost. */
export const forgetCallersHere = (broker: ServiceBroker): void => void broker.broadcastLocal(callersChanged.name);

/** A member left an organization or was removed. The user may join again: grants made after `removedAt` remain. */
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

/** A domain began or ceased to count for these organizations. */
export const domainChanged = domainEvent(
  'identity',
  'domainChanged',
  z.object({ domain: z.string(), organizations: z.array(z.string()) }),
);

/** The events that identity emits. */
export const identityEvents = [callersChanged, memberRemoved, teamRemoved, domainChanged];
