import { missesRight } from '../../../shared/contract/access.js';
import type { Caller } from '../../../shared/contract/caller.js';
import { type Store, type Write, write } from '../../../shared/store/port.js';
import { stillAdminChecks } from '../organizations/memberships.js';
import { memberId, members } from '../organizations/model.js';
import { teamKind } from './resources.js';

/** As `stillAdminChecks`, that who changes a team is an admin of its organization or an owner of it. */
export async function stillManagerChecks(
  store: Store,
  { organization, team }: { organization: string; team: string },
  caller: Caller,
): Promise<Write[]> {
  if (caller.kind !== 'user') return [];
  const member = await store.get(members, memberId(organization, caller.user), {
    fields: ['role', 'disabled', 'owned'],
  });
  if (member?.role === 'admin') return stillAdminChecks(store, organization, caller);
  if (!member || member.disabled || !member.owned.includes(team)) throw missesRight('admin', teamKind);
  return [write.check(members, { _id: member._id, owned: team, disabled: false }, 1)];
}
