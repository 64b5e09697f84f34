import type { Accepted } from './contract/breaks.js';

/** Breaks between the last release and this one that are meant: by their place, with the reason. Emptied with each new baseline. */
export const accepted: Accepted = {};
