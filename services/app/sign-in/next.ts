import type { Addresses } from '../frame/addresses.js';

/** Where a sign-in leads: to the screen that was asked for, and to none that is not ours. */
export function nextOf(given: string | null, { home, signIn }: Addresses): string {
  const isScreen =
    given !== null &&
    (given === home || given.startsWith(`${home}/`) || given.startsWith(`${home}?`)) &&
    !/[\\\s]|\/\/|\/\.{1,2}(?:\/|$)/.test(given.split('?', 1)[0] ?? '');
  return isScreen && !given.startsWith(signIn) ? given : home;
}
