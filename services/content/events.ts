import { coreEvents } from './core/events.js';
import { exchangeEvents } from './exchange/events.js';
import { openAPIEvents } from './openapi/events.js';

export * from './core/events.js';
export * from './exchange/events.js';
export * from './openapi/events.js';

/** The events that content emits, besides audit records. */
export const contentEvents = [...coreEvents, ...exchangeEvents, ...openAPIEvents];
