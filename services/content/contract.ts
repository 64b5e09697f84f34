import { defineContract } from '../../shared/contract/operation.js';
import { question, verb } from '../../shared/contract/verb.js';
import type { Principal } from '../identity/contract.js';
import type { Role } from '../identity/resources.js';
import { collectionOperations } from './contract/collections.js';
import { gitSyncOperations } from './contract/git-sync.js';
import { pageOperations } from './contract/pages.js';
import { permissionOperations } from './contract/permissions.js';
import { revisionOperations } from './contract/revisions.js';
import { spaceOperations } from './contract/spaces.js';
import type { SearchItem, Space } from './resources.js';

export const contentContract = defineContract('content', {
  ...spaceOperations,
  ...collectionOperations,
  ...permissionOperations,
  ...pageOperations,
  ...revisionOperations,
  ...gitSyncOperations,
});

/** Makes a space of this id of the handbook that ships with the product; one that is there already stays as it is. */
export const importHandbook = verb<{ organization: string; creator: string; space: string }, void>(
  'content',
  'importHandbook',
);

/** How many spaces each of these members reaches, and how many are granted to each of these teams, in their order. */
export const countSpaces = question<
  { organization: string; members: Pick<Principal, 'user' | 'role' | 'teams' | 'disabled'>[]; teams: string[] },
  { members: number[]; teams: number[] }
>('content', 'countSpaces');

/** Gives a member at least this level on a space or a collection; what it has already stays when it is more. */
export const grantByInvite = verb<
  { organization: string; kind: 'space' | 'collection'; id: string; user: string; level: Role | null },
  void
>('content', 'grantByInvite');

/**
 * Spaces in the order of the ids, with the permissions of the caller: all false where it has no role. Deleted ones carry
 * `deletedAt`; null for what is not there or belongs to another organization.
 */
export const presentSpaces = question<{ organization: string; ids: string[] }, (Space | null)[]>(
  'content',
  'presentSpaces',
);

/** A page as an address names it. */
export interface FoundPage {
  id: string;
  path: string;
}

/**
 * The page at a path, as a visitor with these claims sees the space; without claims nothing is left out. Of a group it is
 * the first page; the empty path is the first page of the space, which `first` always names. `redirect`: where a path that no
 * page has leads by the content's own redirects. `revision`: any of the space, default the current one. Null when the space or
 * the revision is not there.
 */
export const findPage = question<
  { space: string; revision?: string; path: string; claims?: Record<string, unknown> },
  { revision: string; page?: FoundPage; redirect?: FoundPage & { anchor?: string }; first?: FoundPage } | null
>('content', 'findPage');

/**
 * Spaces with pages that hold every word of a query, those with the best page first, and the ten best pages of each, as a
 * visitor with these claims sees them; without claims nothing is left out. `count`: spaces with hits. Access is the caller's to check.
 */
export const searchSpaces = question<
  { spaces: string[]; query: string; limit: number; offset: number; claims?: Record<string, unknown> },
  { count: number; items: { space: string; title: string; pages: SearchItem[] }[] }
>('content', 'searchSpaces');
