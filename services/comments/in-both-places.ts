import type { Context, Handlers } from '../../shared/contract/service.js';
import type { placeable } from './contract/operations.js';
import type { commentsContract } from './contract.js';
import type { PlacePath } from './places/places.js';

type All = Handlers<typeof commentsContract>;
type Name = keyof typeof placeable;
type InSpace<N extends Name> = All[`${N}InSpace`];

/** Handlers by the names of their operations without the place. */
export type PlacedHandlers<N extends Name> = {
  [K in N]: (request: Parameters<InSpace<K>>[0] & { path: PlacePath }, context: Context) => ReturnType<InSpace<K>>;
};

/** Each handler for both of its operations. */
export function inBothPlaces<N extends Name>(
  handlers: PlacedHandlers<N>,
): Pick<All, `${N}InSpace` | `${N}InChangeRequest`> {
  const both = Object.entries(handlers).flatMap(([name, handler]) => [
    [`${name}InSpace`, handler],
    [`${name}InChangeRequest`, handler],
  ]);
  return Object.fromEntries(both);
}
