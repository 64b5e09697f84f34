import { z } from 'zod';
import { domainEvent } from '../../shared/contract/event.js';

const about = { organization: z.string(), space: z.string() };

/** The primary content of a space is another revision. */
export const contentChanged = domainEvent('content', 'contentChanged', z.object({ ...about, revision: z.string() }));

/** A space has another title, setting or place, was moved to the trash or restored from it. */
export const spaceUpdated = domainEvent('content', 'spaceUpdated', z.object(about));

/** A space is gone for good: the grace period of its trash has passed. */
export const spaceDeleted = domainEvent('content', 'spaceDeleted', z.object(about));

/** What content emits, besides audit records. */
export const contentEvents = [contentChanged, spaceUpdated, spaceDeleted];
