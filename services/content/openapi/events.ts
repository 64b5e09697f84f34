import { z } from 'zod';
import { domainEvent } from '../../../shared/contract/event.js';

/** An OpenAPI specification was created or deleted, or has another latest version. */
export const openAPISpecChanged = domainEvent(
  'content',
  'openAPISpecChanged',
  z.object({ organization: z.string(), slug: z.string() }),
);

/** The events that specifications emit. */
export const openAPIEvents = [openAPISpecChanged];
