import type { Caller } from '../../../shared/contract/caller.js';
import { type Visitor, visitorOf } from '../../../shared/expression/visitor.js';

/** The visitor whose token makes the call; undefined for callers who see content as it is written. */
export const visitorOfCaller = (caller: Caller): Visitor | undefined =>
  caller.kind === 'content' ? visitorOf(caller.claims) : undefined;
