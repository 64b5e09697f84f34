import { sha256 } from '../values/ids.js';

/** A visitor as conditions see one. Visitors with the same `key` see the same. */
export interface Visitor {
  claims: Record<string, unknown>;
  key: string;
}

export const toVisitor = (claims: Record<string, unknown>): Visitor => ({
  claims,
  key: sha256(JSON.stringify(claims)).slice(0, 24),
});
