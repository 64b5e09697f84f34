import { z } from 'zod';
import { domainEvent } from '../../shared/contract/event.js';

const about = { organization: z.string(), space: z.string() };

/** The primary content of a space changed to another revision. */
export const contentChanged = domainEvent('content', 'contentChanged', z.object({ ...about, revision: z.string() }));

/** A title, setting or parent of a space changed, or the space was moved to the trash or restored from it. */
export const spaceUpdated = domainEvent('content', 'spaceUpdated', z.object(about));

/** A space was removed for good: its grace period in the trash has passed. */
export const spaceDeleted = domainEvent('content', 'spaceDeleted', z.object(about));

/** The events that content emits, besides audit records. */
export const contentEvents = [contentChanged, spaceUpdated, spaceDeleted];
