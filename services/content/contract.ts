import { defineContract, verb } from '../../shared/contract/operation.js';
import type { Principal } from '../identity/contract.js';
import type { Role } from '../identity/resources.js';
import { collectionOperations } from './contract/collections.js';
import { gitSyncOperations } from './contract/git-sync.js';
import { pageOperations } from './contract/pages.js';
import { permissionOperations } from './contract/permissions.js';
import { spaceOperations } from './contract/spaces.js';

export const contentContract = defineContract('content', {
  ...spaceOperations,
  ...collectionOperations,
  ...permissionOperations,
  ...pageOperations,
  ...gitSyncOperations,
});

/** Makes a space of the handbook that ships with the product. */
export const importHandbook = verb<{ organization: string; creator: string }, { space: string }>(
  'content',
  'importHandbook',
);

/** How many spaces each of these members reaches, and how many are granted to each of these teams, in their order. */
export const countSpaces = verb<
  { organization: string; members: Pick<Principal, 'user' | 'role' | 'teams' | 'disabled'>[]; teams: string[] },
  { members: number[]; teams: number[] }
>('content', 'countSpaces');

/** Gives a member at least this level on a space or a collection; what it has already stays when it is more. */
export const grantByInvite = verb<
  { organization: string; kind: 'space' | 'collection'; id: string; user: string; level: Role | null },
  void
>('content', 'grantByInvite');

/** Drops the grants of a member or a team that is gone, those made before `until`. */
export const dropGrants = verb<{ organization: string; principal: 'user' | 'team'; id: string; until: string }, void>(
  'content',
  'dropGrants',
);
