import type { Caller } from '../../../shared/contract/caller.js';
import { forbidden } from '../../../shared/errors/errors.js';

/** Returns the id of the user behind a call. It is empty for other kinds of callers, which contracts refuse. */
export const actingUserId = (caller: Caller): string => (caller.kind === 'user' ? caller.user : '');

/** Returns the id of the API token behind a call. It is empty for other kinds of callers, which contracts refuse. */
export const actingTokenId = (caller: Caller): string => (caller.kind === 'user' ? caller.token : '');

/** Returns the one organization that the caller's token reaches, where a single sign-on issued the token. */
export const actingTokenScope = (caller: Caller): string | undefined =>
  caller.kind === 'user' ? caller.scope : undefined;

/** Selects the tokens and sessions that a caller may see and end: its user's, and after a single sign-on only those of the same organization. */
export function ownCredentials(caller: Caller): { user: string; scope?: string } {
  const scope = actingTokenScope(caller);
  return { user: actingUserId(caller), ...(scope === undefined ? {} : { scope }) };
}

/** Throws 403 for a token of a single sign-on: it is valid in its own organization only. */
export function checkUnscoped(caller: Caller): void {
  if (actingTokenScope(caller) !== undefined)
    throw forbidden('A single sign-on token is valid for its own organization only', 'token_of_one_organization');
}
