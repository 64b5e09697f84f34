import { permissionsOf } from '../../../../../shared/contract/access.js';
import type { Caller } from '../../../../../shared/contract/caller.js';
import { scaleMs } from '../../../../../shared/settings/time-scale.js';
import type { HasTrees } from '../../../core/access/tree/content-tree-cache.js';
import { spaceKind } from '../../../core/nodes/resources.js';

/** The caller that follows links to other spaces, and the organization that links do not leave. */
export interface Follower {
  organization: string;
  caller: Caller;
}

/** Other spaces that the links of one answer, or of one batch of changes, are looked up in. */
export const maxSpaces = 20;
/** Milliseconds after which no further space is looked into: the request has to be answered. */
export const maxLookMs = scaleMs(3000);

/** Filters the spaces: only those that belong to the organization and that the caller may view. */
export async function visibleSpaces(
  { trees }: HasTrees,
  { organization, caller }: Follower,
  ids: string[],
): Promise<Set<string>> {
  const access = await trees.resolve({ caller, ids }, 'space');
  return new Set(
    ids.filter((_, at) => {
      const found = access[at];
      if (found?.organization !== organization || found.state !== 'active') return false;
      return permissionsOf(spaceKind, found.role).view;
    }),
  );
}
