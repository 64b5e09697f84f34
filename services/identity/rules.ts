import type { Caller } from '../../shared/contract/caller.js';
import type { Call } from '../../shared/contract/service.js';
import type { Store, Write } from '../../shared/store/port.js';
import type { Outbox } from '../../shared/work/outbox.js';
import { countSpaces } from '../content/contract.js';
import type { MemberDocument } from './model.js';

/** What the rules of identity work with. */
export interface IdentityRules {
  store: Store;
  baseUrl: string;
  outbox: Outbox;
  /** Caches of callers are to be dropped: goes with the change of a token or a membership. */
  callersChanged: () => Write;
}

/** The user behind a call; contracts let no other kind of caller through. */
export const userOf = (caller: Caller): string => (caller.kind === 'user' ? caller.user : '');

type Counted = Pick<MemberDocument, 'user' | 'role' | 'teams' | 'disabled'>;

/** How many spaces each member reaches. */
export async function spacesOfMembers(call: Call, organization: string, members: Counted[]): Promise<number[]> {
  if (members.length === 0) return [];
  const asked = members.map(({ user, role, teams, disabled }) => ({ user, role, teams, disabled }));
  return (await call(countSpaces, { organization, members: asked, teams: [] })).members;
}

/** How many spaces are granted to each team. */
export async function spacesOfTeams(call: Call, organization: string, teams: string[]): Promise<number[]> {
  if (teams.length === 0) return [];
  return (await call(countSpaces, { organization, members: [], teams })).teams;
}
