import type { Route } from '../frame/screen.js';
import { integrationScreens } from './integration-screens.js';
import { specScreens } from './spec-screens.js';

/** Screens of what an organization has beside spaces: plain, since programs manage them by the API. */
export const catalogueScreens: readonly Route[] = [...specScreens, ...integrationScreens];
