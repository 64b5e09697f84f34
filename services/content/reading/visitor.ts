import type { Caller } from '../../../shared/contract/caller.js';
import { sha256 } from '../../../shared/ids.js';

/** A visitor of a site, for whom conditions and expressions are evaluated. Visitors with the same `key` see the same. */
export interface Visitor {
  claims: Record<string, unknown>;
  key: string;
}

export const visitorOf = (claims: Record<string, unknown>): Visitor => ({
  claims,
  key: sha256(JSON.stringify(claims)).slice(0, 24),
});

/** The visitor whose token makes the call; undefined for callers who see content as it is written. */
export const visitorOfCaller = (caller: Caller): Visitor | undefined =>
  caller.kind === 'content' ? visitorOf(caller.claims) : undefined;
